import { describe, expect, it } from "vitest";
import { approximate, boundOf, compareExact, decimal, exact, groupDigits, percent, plain } from "./numbers";

describe("exact numbers", () => {
  it("reads fractions, decimals and whole numbers without rounding", () => {
    expect(exact("5/18")).toEqual({ over: 5n, under: 18n });
    expect(exact("-44.50")).toEqual({ over: -4450n, under: 100n });
    expect(exact(7)).toEqual({ over: 7n, under: 1n });
    expect(() => exact("1e3")).toThrow(RangeError);
    expect(() => exact("1/0")).toThrow(RangeError);
  });

  it("rounds at the last digit only, half away from zero", () => {
    expect(decimal(exact("5/18"), 4)).toBe("0.2778");
    expect(decimal(exact("0.125"), 2)).toBe("0.13");
    expect(decimal(exact("-0.125"), 2)).toBe("−0.13");
    expect(decimal(exact("-0.001"), 2)).toBe("0.00");
    expect(decimal(exact("12345678901234567890/3"), 1)).toBe("4115226300411522630.0");
  });

  it("never shows the possible as impossible, nor the uncertain as certain", () => {
    expect(percent("677/6664")).toBe("10.16 %");
    expect(percent("1/2598960")).toBe("< 0.01 %");
    expect(percent("2598959/2598960")).toBe("> 99.99 %");
    expect(percent("0")).toBe("0.00 %");
    expect(percent("1")).toBe("100.00 %");
  });

  it("keeps precision in floats for lengths", () => {
    expect(approximate("1/3")).toBeCloseTo(1 / 3, 12);
    expect(approximate("99999999999999999999/100000000000000000000")).toBeCloseTo(1, 12);
  });

  it("sets thousands apart", () => {
    expect(groupDigits(2598960)).toBe("2,598,960");
    expect(groupDigits(999)).toBe("999");
  });

  it("compares fractions that floats cannot tell apart", () => {
    expect(compareExact("10000000000000000000/30000000000000000001", "1/3")).toBe(-1);
    expect(compareExact("2/6", "1/3")).toBe(0);
    expect(compareExact(1, "999/1000")).toBe(1);
  });

  it("reads floats without powers of ten", () => {
    expect(exact(plain(0.00000001))).toEqual({ over: 10_000_000n, under: 10n ** 15n });
  });

  it("says how far a number may be off, and never less than that", () => {
    expect([0, 0.5, 0.02, 0.021, 95, 1, 0.00014, 3e-7, 9.5e-8].map(boundOf)).toEqual([
      "0",
      "0.5",
      "0.02",
      "0.03",
      "100",
      "1",
      "2 × 10⁻⁴",
      "3 × 10⁻⁷",
      "1 × 10⁻⁷",
    ]);
  });
});
