import { expect, test } from "vitest";
import { characterOf, checkModifier, describeTalent, stakesOf, type CheckKind, type Rules } from "./deck";

const RULES = {
  modifiers: [0, 5],
  health: 5,
  characters: [
    { name: "Ysolde", attributes: { strength: 1 }, skills: { fighting: 1 }, talents: ["keen_edge"] },
    { name: "Anselm", attributes: {}, skills: {}, talents: [] },
  ],
  talents: {
    keen_edge: { trigger: "single(spade)", effect: { kind: "add", amount: 1 }, sentence: "" },
    second_wind: { trigger: "both(spade)", effect: { kind: "regain", ability: "peek" }, sentence: "" },
    lucky_break: { trigger: "both(spade)", effect: { kind: "draw", cards: 2 }, sentence: "" },
    turn: { trigger: "both(spade)", effect: { kind: "redraw" }, sentence: "" },
  },
} as unknown as Rules;
const DUEL = { target: 4, attribute: "strength", skill: "fighting", worth: 2, harm: 1 } as unknown as CheckKind;

test("after the last character the first follows, and without any there is none", () => {
  expect([1, 2, 3].map((player) => characterOf(RULES, player)?.name)).toEqual(["Ysolde", "Anselm", "Ysolde"]);
  expect(characterOf({ ...RULES, characters: [] }, 1)).toBeUndefined();
});

test("a check adds the modifier, the attribute and the skill", () => {
  expect([1, 2].map((player) => checkModifier(RULES, player, DUEL))).toEqual([2, 5]);
  expect(checkModifier(RULES, 1, undefined)).toBe(0);
});

test("stakes are said where they are not the usual", () => {
  expect(stakesOf(RULES, DUEL)).toEqual(["adds strength and fighting", "worth 2 successes", "a failure costs 1 health"]);
  expect(stakesOf(RULES, { ...DUEL, target: "none" })).toEqual(["adds strength and fighting"]);
  expect(stakesOf({ ...RULES, health: 0 }, { target: 3, worth: 1, harm: 1 } as CheckKind)).toEqual([]);
});

test("a talent in words", () => {
  expect(Object.keys(RULES.talents).map((name) => describeTalent(RULES, name))).toEqual([
    "+1 to the total, when exactly one card is a spade",
    "regains a use of: Peek, when there are two cards, each a spade",
    "draws 2 more, when there are two cards, each a spade",
    "draws a failed check again, when there are two cards, each a spade",
  ]);
  expect(describeTalent(RULES, "nothing")).toBe("");
});
