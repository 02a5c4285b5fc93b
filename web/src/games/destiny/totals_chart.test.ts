import { describe, expect, it } from "vitest";
import type { Totals } from "./questions";
import { chartOf, stepsOf } from "./totals_chart";

describe("totals gathered into steps", () => {
  it("loses no hand", () => {
    const distribution = Array.from({ length: 900 }, (_, index) => [index + 0.37, index + 1] as const);
    const steps = stepsOf(distribution);

    expect(steps.reduce((sum, step) => sum + step.count, 0n)).toBe(BigInt((900 * 901) / 2));
    expect(steps.length).toBeLessThanOrEqual(48);
    expect(steps.every((step) => step.to - step.from === steps[0]!.to - steps[0]!.from)).toBe(true);
  });

  it("begins at the least total", () => {
    expect(stepsOf([[430, 1], [500, 2]])[0]).toMatchObject({ count: 1n });
    expect(stepsOf([])).toEqual([]);
  });

  it("marks the threshold, and keeps the exact shares", () => {
    const data = chartOf({ total: 4, distribution: [[10, 3], [12, 1]], target: { threshold: 11.5 } } as unknown as Totals, "Burglary");

    expect(data.marks).toEqual([{ x: 11.5, name: "Burglary 11.5" }]);
    expect(data.series[0]!.points[0]).toEqual({ x: 10, y: 0.75, exact: "3/4" });
  });
});
