import { expect, it } from "vitest";
import type { HeardEvent } from "../../match/table.svelte";
import { aftermathOf, lastRolls } from "./receipt";

const heard = (...events: object[]) => events.map((event, index) => ({ key: `${index}`, version: index, byClock: false, event })) as unknown as HeardEvent<"dice">[];

it("reads what followed the last score", () => {
  const after = aftermathOf(heard({ event: "scored" }, { event: "paid", money: 9 }, { event: "shattered", places: [0], saved: [] }, { event: "collected", place: 1 }, { event: "stocked" }, { event: "bought" }));

  expect(after?.paid).toMatchObject({ money: 9 });
  expect(after?.shattered).toMatchObject({ places: [0] });
  expect(after?.collected).toMatchObject({ place: 1 });
});

it("knows nothing of a round whose score this page has not heard", () => {
  expect(aftermathOf(heard({ event: "stocked" }))).toBeNull();
  expect(aftermathOf(heard({ event: "scored" }, { event: "paid" }, { event: "round_began" }))).toBeNull();
});

it("remembers in which roll each die was last thrown", () => {
  const rolls = lastRolls(heard({ event: "rolled", places: [0, 1] }, { event: "locked", place: 0 }, { event: "rolled", places: [1] }), 3);

  expect(rolls).toEqual(["0", "2", null]);
});
