import { expect, test } from "vitest";
import type { LogEvent, Table } from "../../match/table.svelte";
import { describe } from "./describe";

const NAMES = ["Greta", "Ada", "Bo"];
const makeTable = (names: string[]): Table<"fate"> =>
  ({ name: (seat: number) => names[seat], frame: { chairs: names.map((name) => ({ name })) } }) as unknown as Table<"fate">;
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
