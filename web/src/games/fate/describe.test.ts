import { expect, test } from "vitest";
import type { LogEvent, Table } from "../../match/table.svelte";
import { describe } from "./describe";

const RULES = {
  checks: { duel: { story: "The captain draws.", won: "His sword falls.", lost: "He is better." } },
  talents: { storm: { sentence: "Two spades break." } },
};
const NAMES = ["Greta", "Ada", "Bo"];
const makeTable = (names: string[]): Table<"fate"> =>
  ({ rules: RULES, name: (seat: number) => names[seat], frame: { chairs: names.map((name) => ({ name })) } }) as unknown as Table<"fate">;
const RESULT = { cards: ["3♠", "RJ"], value: 3, modifier: 1, total: 4 };

test.each([
  [{ event: "turn_began", turn: 2, player: 1 }, "Turn 2: Ada is on turn."],
  [{ event: "called", caller: 0, player: 2, check: "iron_will", on_turn: true }, "Greta calls for iron will from Bo."],
  [{ event: "drawn", player: 2, card: "RJ", left: 16 }, "Bo draws red joker."],
  [{ event: "kept", player: 2, cards: ["3♠", "J♥"] }, "Bo keeps three of spades and jack of hearts."],
  [
    { event: "resolved", player: 1, check: "omen", result: { ...RESULT, success: true, triggered: false } },
    "Ada, omen: 4, success, the trigger does not fire.",
  ],
  [{ event: "resolved", player: 1, check: "fortune", result: { ...RESULT, success: null, triggered: null } }, "Ada, fortune: 4."],
  [{ event: "called", caller: 0, player: 2, check: "duel", on_turn: true }, "Greta calls for duel from Bo. “The captain draws.”"],
  [
    { event: "resolved", player: 1, check: "duel", result: { ...RESULT, success: true, triggered: null }, gained: 2, health: 0 },
    "Ada, duel: 4, success, gains 2 successes. “His sword falls.”",
  ],
  [
    { event: "resolved", player: 1, check: "duel", result: { ...RESULT, success: false, triggered: null }, gained: 0, health: -2 },
    "Ada, duel: 4, failure, loses 2 health. “He is better.”",
  ],
  [
    { event: "resolved", player: 1, check: "omen", result: { ...RESULT, success: true, triggered: null }, gained: 0, health: 1 },
    "Ada, omen: 4, success, recovers 1 health.",
  ],
  [{ event: "talent_fired", player: 1, check: "duel", talent: "storm" }, "Ada: storm fires. Two spades break."],
  [{ event: "effect", player: 1, talent: "storm", kind: "add", amount: 4, other: null }, "+4 to the total."],
  [{ event: "effect", player: 1, talent: "storm", kind: "draw", amount: 1, other: null }, "1 card more."],
  [{ event: "effect", player: 1, talent: "storm", kind: "redraw", amount: 2, other: null }, "The cards are set aside and drawn again."],
  [{ event: "effect", player: 1, talent: "storm", kind: "peek", amount: 2, other: null }, "Ada looks at the top 2 cards."],
  [{ event: "effect", player: 1, talent: "storm", kind: "strike", amount: 3, other: 2 }, "Bo loses 3 health."],
  [{ event: "effect", player: 1, talent: "storm", kind: "heal", amount: 2, other: null }, "Ada regains 2 health."],
  [{ event: "effect", player: 1, talent: "storm", kind: "regain", amount: 1, other: null }, "Ada regains a use of an ability."],
  [{ event: "used", player: 1, ability: "peek", count: 2 }, "Ada peeks at 2 cards."],
  [{ event: "peeked", cards: ["A♠"] }, "On top you see ace of spades."],
  [{ event: "reshuffled", size: 17 }, "A new deck of 17 cards is shuffled."],
  [{ event: "ended", successes: [1] }, "The last turn is over."],
])("%j", (event, line) => {
  expect(describe({ key: "1.0", version: 1, event, byClock: false } as unknown as LogEvent<"fate">, makeTable(NAMES))).toBe(line);
});

test("seats of the same name are told apart", () => {
  const event = { event: "called", caller: 0, player: 2, check: "easy", on_turn: true };
  const line = describe(
    { key: "1.0", version: 1, event, byClock: false } as unknown as LogEvent<"fate">,
    makeTable(["random", "Ada", "random"]),
  );
  expect(line).toBe("random (game master) calls for easy from random (II).");
});
