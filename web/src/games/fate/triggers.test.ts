import { describe, expect, test } from "vitest";
import { describeTrigger } from "./triggers";

describe("a trigger is said in words", () => {
  test.each([
    ["single(spade)", "exactly one card is a spade"],
    ["single(spade, heart) and not sum >= 5", "exactly one card is a spade or a heart, and not: the sum of the values is at least 5"],
    ["both(red)", "there are two cards, each red"],
    ["PAIR(red, any)", "there are two cards: one is red, the other is of any suit"],
    ["at_least(1, ♠, ♣)", "at least 1 card is black"],
    ["at_least(2,♠,♥,♦)", "at least 2 cards are a spade or a heart or a diamond"],
    ["none(clubs)", "no card is a club"],
    ["lowest != -1", "the lowest value is not -1"],
    ["not (both(red) or cards == 1)", "not: (there are two cards, each red, or the number of cards is exactly 1)"],
    [
      "single(♠) and sum > 3 or highest < 2",
      "(exactly one card is a spade, and the sum of the values is more than 3), or the highest value is less than 2",
    ],
    [
      "cards <= 1 and (sum < 1 or sum == 4)",
      "the number of cards is at most 1, and (the sum of the values is less than 1, or the sum of the values is exactly 4)",
    ],
  ])("%s", (trigger, said) => {
    expect(describeTrigger(trigger)).toBe(said);
  });

  test.each(["bith(red)", "single(spade", "single(moon)", "sum ~ 3", "sum >=", "sum + 3", "at_least(red)", "sum >= 3 4", "pair(red)"])(
    "what is not understood stays as it was written: %s",
    (trigger) => {
      expect(describeTrigger(trigger)).toBe(trigger);
    },
  );
});
