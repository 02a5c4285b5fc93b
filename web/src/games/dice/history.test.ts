import { expect, it } from "vitest";
import type { LogEvent } from "../../match/table.svelte";
import { roundOutcome, lastRolls } from "./history";

const log = (...events: object[]) =>
  events.map((event, index) => ({ key: `${index}`, version: index, byClock: false, event })) as unknown as LogEvent<"dice">[];

it("reads what followed the last score", () => {
  const after = roundOutcome(
    log(
      { event: "scored" },
      { event: "paid", money: 9 },
      { event: "shattered", places: [0], saved: [] },
      { event: "collected", place: 1 },
      { event: "stocked" },
      { event: "bought" },
    ),
  );

  expect(after?.paid).toMatchObject({ money: 9 });
  expect(after?.shattered).toMatchObject({ places: [0] });
  expect(after?.collected).toMatchObject({ place: 1 });
});

it("knows nothing of a round whose score this page has not heard", () => {
  expect(roundOutcome(log({ event: "stocked" }))).toBeNull();
  expect(roundOutcome(log({ event: "scored" }, { event: "paid" }, { event: "round_began" }))).toBeNull();
});

it("remembers in which roll each die was last thrown", () => {
  const rolls = lastRolls(log({ event: "rolled", places: [0, 1] }, { event: "locked", place: 0 }, { event: "rolled", places: [1] }), 3);

  expect(rolls).toEqual(["0", "2", null]);
});
