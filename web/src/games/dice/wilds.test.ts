import { expect, it } from "vitest";
import type { ScoreReply } from "./questions";
import type { Action } from "./action_queue.svelte";
import { scoreOf, viewOf } from "./test_data";
import { bestWay, settable, wildWays } from "./wilds";

const sets = (place: number, shown: number): Action[] =>
  [1, 2, 3, 4, 5, 6].filter((face) => face !== shown).map((face) => ({ type: "set_wild", place, face }));
const pool = (...kinds: string[]) =>
  viewOf({ build: { dice: kinds.map((kind) => ({ kind, level: 0 })), items: [], levels: {} }, faces: kinds.map(() => 3) });

it("goes through every face of one wild die, and says which way leaves it as it lies", () => {
  const ways = wildWays(pool("normal", "wild"), sets(1, 3));

  expect(ways.map((way) => way.faces)).toEqual([[3, 1], [3, 2], [3, 3], [3, 4], [3, 5], [3, 6]]);
  expect(ways.map((way) => way.sets.length)).toEqual([1, 1, 0, 1, 1, 1]);
});

it("takes wild dice that are alike in one order only, and gives up where there are too many ways", () => {
  const three = pool("wild", "wild", "wild");
  const many = pool(...Array<string>(8).fill("wild"));

  expect(settable([...sets(0, 3), ...sets(2, 3)])).toEqual([0, 2]);
  expect(wildWays(three, [0, 1, 2].flatMap((place) => sets(place, 3)))).toHaveLength(56);
  expect(wildWays(many, [0, 1, 2, 3, 4, 5, 6, 7].flatMap((place) => sets(place, 3)))).toEqual([]);
  expect(wildWays(three, [])).toEqual([]);
});

it("finds the way that scores most, and of equal ones that with the fewest sets", () => {
  const ways = wildWays(pool("normal", "wild"), sets(1, 3));
  const answers = [50, 10, 50, 10, 10, 10].map((total) => ({ score: scoreOf({ total }) }) as ScoreReply);

  expect(bestWay(ways, { answers })).toEqual({ way: ways[2], total: 50 });
  expect(bestWay([], { answers: [] })).toBeNull();
});
