import { expect, it } from "vitest";
import type { Rules } from "./questions";
import { RULES } from "./test_data";
import { diceAt, dieName, handNeeds, itemDoes, kindDoes, pictureFace } from "./wording";

it.each([
  ["groups", [3, 2], "3 alike and 2 alike"],
  ["run", [5], "5 in a row"],
  ["faces", [2, 4, 4], "2 4 4"],
  ["only", [1, 3, 5], "all dice show 1, 3 or 5"],
  ["highest", [1], "the highest die"],
  ["highest", [2], "the 2 highest dice"],
] as const)("says what %s %o needs", (condition, pattern, said) => {
  expect(handNeeds({ condition, pattern: [...pattern] })).toBe(said);
});

it.each([
  ["normal", "rolls every face alike"],
  ["weighted", "rolls 1 to 6 with weights 0.5, 0.5, 0.8, 1.2, 1.5, 1.8"],
  ["light", "rolls only 1, 2 or 3"],
  ["glass", "rolls every face alike; adds 10 when it is matched, 5 more per level; shatters after a won round with a chance of 20 %"],
  ["odd", "rolls every face alike; adds 5 on 1, 3 or 5, 3 more per level"],
  ["wild", "can be set to any face, and then stays"],
  ["mirror", "shows the other side of its roll; rolls 1 to 6 with weights 1, 2, 1, 1, 1, 1"],
])("says what a %s die does", (kind, said) => {
  expect(kindDoes(RULES.kinds[kind]!)).toBe(said);
});

it.each([
  [{ rerolls: 1 }, "1 more reroll in every round"],
  [{ multiplier: 0.5, faces: [2, 4, 6] }, "+0.5 to the multiplier for each die that shows 2, 4 or 6"],
  [{ money: 3 }, "$3 more for every won round"],
  [{ saves: 1 }, "saves the first die that would shatter in a round"],
  [{ saves: 2, flat: 15 }, "+15 points to every score; saves the first 2 dice that would shatter in a round"],
  [{ reweighs: "normal", weights: [1, 2, 3, 4, 5, 6] }, "normal dice roll 1 to 6 with weights 1, 2, 3, 4, 5, 6"],
])("says what an item with %o does", (item, said) => {
  expect(
    itemDoes({
      price: 1,
      rerolls: 0,
      flat: 0,
      multiplier: 0,
      faces: [],
      money: 0,
      saves: 0,
      reweighs: "",
      weights: [],
      ...item,
    } as Rules["items"][string]),
  ).toBe(said);
});

it("pictures a kind with a face that it can roll and is paid for", () => {
  expect(["normal", "light", "odd"].map((kind) => pictureFace(RULES.kinds[kind]))).toEqual([6, 3, 5]);
  expect(pictureFace(undefined)).toBe(6);
});

it("names dice and places from 1", () => {
  expect([dieName({ kind: "glass", level: 2 }), dieName({ kind: "normal" }), diceAt([0]), diceAt([0, 2])]).toEqual([
    "glass +2",
    "normal",
    "die 1",
    "dice 1, 3",
  ]);
});
