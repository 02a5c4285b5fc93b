import { describe, expect, test } from "vitest";
import { isPrinted, labelOf, modifierOf, pileEntries, whereabouts, type Memory, type Rules } from "./deck";

const RULES = {
  cards: [
    { name: "3♠", value: 3, suit: "spades", copies: 1 },
    { name: "J♥", value: 0, suit: "hearts", copies: 1 },
    { name: "RJ", value: 0, suit: "wild", copies: 1 },
    { name: "Cup", value: 2, suit: "hearts", copies: 3 },
    { name: "2♦", value: 2, suit: "clubs", copies: 1 },
  ],
  modifiers: [2],
} as unknown as Rules;

describe("cards of the rules", () => {
  test("are said with what they are worth, and with their suit where the name does not say it", () => {
    expect(labelOf(RULES, "3♠")).toBe("three of spades, worth 3");
    expect(labelOf(RULES, "RJ")).toBe("red joker, worth 0, any suit");
    expect(labelOf(RULES, "Cup")).toBe("Cup, worth 2, hearts");
    expect(labelOf(RULES, "X")).toBe("X");
  });

  test("are printed like playing cards where name and suit agree", () => {
    expect(RULES.cards.map(isPrinted)).toEqual([true, true, false, false, false]);
  });

  test("a player without a modifier adds nothing", () => {
    expect([modifierOf(RULES, 1), modifierOf(RULES, 2)]).toEqual([2, 0]);
  });
});

describe("what is known of a pile", () => {
  test("unknown places stand together", () => {
    expect(pileEntries(["3♠", null, null, 1, null])).toEqual([
      { key: "0", place: 0, sort: "card", card: "3♠" },
      { key: "1", place: 1, sort: "unknown", count: 2 },
      { key: "3", place: 3, sort: "set", set: 1 },
      { key: "4", place: 4, sort: "unknown", count: 1 },
    ]);
  });

  test("every card is somewhere", () => {
    const memory: Memory = { deck: ["3♠", 1, null], discard: [1], sets: [{ cards: ["RJ"], unknown: 1, orders: [], is_estimate: false }], unseen: ["Cup", "Cup"] };
    const rows = whereabouts(RULES, memory);
    expect(rows.map((row) => row.map((one) => [one.kind.name, one.where, one.unseen]))).toEqual([
      [["3♠", "deck", 0]],
      [["J♥", "out", 0], ["Cup", "unseen", 2]],
      [["2♦", "out", 0]],
      [["RJ", "deck", 0]],
    ]);
  });
});
