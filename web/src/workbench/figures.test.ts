import { describe, expect, it } from "vitest";
import { boundedFigure, boundText, detailOf, floatOf, exactFigure, formatDifference, shareOf, formatFigure } from "./figures";

describe("figures", () => {
  it("shows shares as per cent, and how they were counted", () => {
    const share = shareOf(264030, 2598960);

    expect(formatFigure(share, "chance")).toBe("10.16 %");
    expect(detailOf(share, "chance")).toBe("264,030 of 2,598,960");
    expect(floatOf(share)).toBeCloseTo(0.10159, 5);
  });

  it("does not call counts exact that a float cannot hold", () => {
    const huge = shareOf(2 ** 60, 2 ** 62);

    expect(huge).toEqual({ kind: "bounded", value: 0.25, error: 1e-15 });
    expect(formatFigure(huge, "chance")).toBe("25.00 %");
  });

  it("shows fractions as digits, whole numbers without a detail", () => {
    expect(formatFigure(exactFigure("5/18"), "number")).toBe("0.28");
    expect(detailOf(exactFigure("5/18"), "number")).toBe("5/18");
    expect(detailOf(exactFigure("3"), "number")).toBeUndefined();
  });

  it("tells how far a float may be off", () => {
    expect(formatFigure(boundedFigure(0.917226907, 9e-9), "chance")).toBe("91.72 %");
    expect(detailOf(boundedFigure(0.5, 9e-9), "chance")).toBe("± 9 × 10⁻⁷ %");
    expect(boundText(0.005, "number")).toBe("5 × 10⁻³");
    expect(boundText(0.5, "number")).toBe("0.5");
  });

  it("subtracts chances exactly, in points", () => {
    expect(formatDifference(exactFigure("1/4"), exactFigure("1/3"), "chance")).toBe("+8.33 points");
    expect(formatDifference(exactFigure("1/3"), exactFigure("1/4"), "chance")).toBe("−8.33 points");
    expect(formatDifference(exactFigure("1/3"), exactFigure("2/6"), "chance")).toBe("the same");
    expect(formatDifference(exactFigure("1/3"), exactFigure("33333334/100000000"), "chance")).toBe("< +0.01 points");
  });

  it("subtracts what is not exact, and never calls it the same", () => {
    expect(formatDifference(boundedFigure(0.5, 1e-9), exactFigure("3/4"), "chance")).toBe("+25.00 points");
    expect(formatDifference(boundedFigure(2, 1e-9), boundedFigure(1.5, 1e-9), "number")).toBe("−0.50");
    expect(formatDifference(boundedFigure(0.5, 1e-9), boundedFigure(0.5, 1e-9), "chance")).toBe("± 0.00 points");
  });
});
