import { expect, it } from "vitest";
import { spreadOf } from "./spread";

it("says for each score how likely it is to get at least that much", () => {
  expect(spreadOf([[33, 2], [10, 1], [90, 1]], 4)).toEqual([
    { x: 10, y: 1, exact: "4/4" },
    { x: 33, y: 0.75, exact: "3/4" },
    { x: 90, y: 0.25, exact: "1/4" },
  ]);
});
