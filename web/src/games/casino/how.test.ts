import { expect, it } from "vitest";
import { movesOf, pointsOf } from "./how";
import type { Rules } from "./questions";

const FULL = {
  most_cards: 3, most_spades: 1, ten_of_diamonds: 2, two_of_spades: 1, ace: 1,
  spades_wanted: 0, spades_points: 0, cards_wanted: 0, cards_points: 0, cards_shared: 0,
};
const SHORT = { ...FULL, most_cards: 0, most_spades: 0, spades_wanted: 6, spades_points: 2, cards_wanted: 21, cards_points: 2, cards_shared: 1 };
const RULES = {
  deck: "full", capture_targets: 1, capture_own_builds: false, two_card_capture: true, extend_own_builds: false,
  extension_takes_ownership: false, trail_restriction: "round1", sweep_points: 1,
  scoring_full: FULL, scoring_short_two: SHORT, scoring_short_more: { ...FULL, most_cards: 2, most_spades: 2 },
} as unknown as Rules;
const namesOf = (rules: object): string[] => movesOf({ ...RULES, ...rules } as Rules).map(([name]) => name);
const lineOf = (rules: object, wanted: string): string => movesOf({ ...RULES, ...rules } as Rules).find(([name]) => name === wanted)?.[1] ?? "";

it("lists every move of the default rules", () => {
  expect(namesOf({})).toEqual(["Capture", "Two-card capture", "Build", "Marriage", "Extend", "Trail", "Last card"]);
});

it("leaves out what the rules do not allow", () => {
  expect(namesOf({ two_card_capture: false })).toEqual(["Capture", "Build", "Extend", "Trail", "Last card"]);
  expect(namesOf({ deck: "short" })).toEqual(["Capture", "Two-card capture", "Build", "Extend", "Trail", "Last card"]);
});

it("says how many targets a capture takes, and when a card is trailed", () => {
  expect(lineOf({}, "Capture")).not.toContain("at once");
  expect(lineOf({ capture_targets: 4 }, "Capture")).toContain("up to 4 of these at once");
  expect(lineOf({ trail_restriction: "always" }, "Trail")).toContain("if it can do nothing else");
});

it("says what the points are for, by the deck and the number of players", () => {
  expect(pointsOf(RULES)).toEqual(["Most cards 3, most spades 1, 10♦ 2, 2♠ 1, each ace 1 and each sweep 1. In a tie for the most, nobody gets the points."]);
  expect(pointsOf({ ...RULES, deck: "short" } as Rules)).toEqual([
    "Two players: 10♦ 2, 2♠ 1, each ace 1, 6 spades or more 2, 21 cards or more 2, exactly 20 cards 1 and each sweep 1.",
    "Three or four: most cards 2, most spades 2, 10♦ 2, 2♠ 1, each ace 1 and each sweep 1. In a tie for the most, nobody gets the points.",
  ]);
});
