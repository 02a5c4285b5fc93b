import { describe, expect, it } from "vitest";
import { atLeast, binCounts, binWidth, chancePoints, marksFor, spanOf } from "./bins";

describe("distributions", () => {
  it("adds counts bin by bin, with gaps, and closes the last bin", () => {
    expect(binCounts([[-3, 1], [4, 2], [5.5, 3], [21, 4]], 10)).toEqual([
      { x: -10, y: 0.1, exact: "1/10" },
      { x: 0, y: 0.5, exact: "5/10" },
      { x: 10, y: 0, exact: "0/10" },
      { x: 20, y: 0.4, exact: "4/10" },
      { x: 30, y: 0, exact: "0/10" },
    ]);
  });

  it("takes a round width with which few bins are enough", () => {
    expect(binWidth([[[0, 1], [60, 1]]])).toBe(1);
    expect(binWidth([[[30, 1]], [[942, 1]]])).toBe(20);
    expect(binWidth([[]])).toBe(1);
    expect(binWidth([[[0, 1], [7e6, 1]]])).toBe(100_001);
  });

  it("counts down from certainty", () => {
    expect(atLeast([[5, 2], [1, 3], [9, 5]])).toEqual([
      { x: 1, y: 1, exact: "10/10" },
      { x: 5, y: 0.7, exact: "7/10" },
      { x: 9, y: 0.5, exact: "5/10" },
    ]);
    expect(chancePoints([[5, 2], [1, 6]])).toEqual([
      { x: 5, y: 0.25, exact: "2/8" },
      { x: 1, y: 0.75, exact: "6/8" },
    ]);
  });

  it("draws neither a long thin tail nor less than what is marked", () => {
    const tail: [number, number][] = [[10, 5000], [50, 5000], [900, 1]];

    expect(spanOf([tail], [], 10)).toEqual([10, 60]);
    expect(spanOf([tail], [275], 10)).toEqual([10, 300]);
  });

  it("marks a target once where all settings share it", () => {
    expect(marksFor([{ x: 275, name: "A" }, { x: 275, name: "B" }])).toEqual([{ x: 275, name: "275" }]);
    expect(marksFor([{ x: 275, name: "A" }, { x: 300, name: "B" }])).toEqual([{ x: 275, name: "275 A" }, { x: 300, name: "300 B" }]);
    expect(marksFor([])).toEqual([]);
  });
});
