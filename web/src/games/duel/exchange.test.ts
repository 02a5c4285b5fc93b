import { expect, it } from "vitest";
import type { LogEvent } from "../../match/table.svelte";
import type { View } from "./corners";
import { finalExchange, lastExchange } from "./exchange";

const BLOWS = [{ dealt: 21, hp: 91 }, { dealt: 9, hp: 0 }];
const log = (...rounds: number[]) =>
  rounds.map((round, index) => ({
    key: `${index}.0`,
    version: index,
    event: { event: "exchanged", round, blows: BLOWS },
    byClock: false,
  })) as unknown as LogEvent<"duel">[];
const over = (round: number, why: string): View => ({ round, result: { why, winner: 0 } }) as unknown as View;

it("returns the last exchange before its blows fall", () => {
  expect(lastExchange(log(1, 2))).toEqual({ key: "1.0", round: 2, blows: BLOWS, struck: false });
  expect(lastExchange([])).toBeNull();
});

it("returns the exchange that ended a duel with its blows fallen", () => {
  expect(finalExchange(over(2, "knock_out"), log(1, 2))).toEqual({ key: "1.0", round: 2, blows: BLOWS, struck: true });
});

it("returns nothing where a duel goes on, was fled from, or ended in a round without exchange", () => {
  expect(finalExchange({ round: 2, result: null } as unknown as View, log(1, 2))).toBeNull();
  expect(finalExchange(over(2, "flight"), log(1, 2))).toBeNull();
  expect(finalExchange(over(3, "knock_out"), log(1, 2))).toBeNull();
});
