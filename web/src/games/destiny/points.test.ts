import { describe, expect, it } from "vitest";
import { formatExact, goldOf, hundredths, pointsOf, formatSigned } from "./points";

describe("points", () => {
  it("are exact hundredths", () => {
    expect(hundredths(40.37)).toBe(4037n);
    expect(hundredths("-27.5")).toBe(-2750n);
  });

  it("are shown without zeros that say nothing", () => {
    expect(pointsOf(275)).toBe("275");
    expect(pointsOf(100)).toBe("100");
    expect(pointsOf(93.8)).toBe("93.8");
    expect(pointsOf("-12.50")).toBe("−12.5");
  });

  it("have their sign where they are added", () => {
    expect(formatSigned(3)).toBe("+3");
    expect(formatSigned(-5)).toBe("−5");
    expect(formatSigned(0)).toBe("0");
  });

  it("round at the second digit, and never to nothing", () => {
    expect(formatExact("35/2")).toBe("17.5");
    expect(formatExact("468932/270725")).toBe("1.73");
    expect(formatExact("1/1000")).toBe("< 0.01");
    expect(formatExact("-1/1000")).toBe("> −0.01");
    expect(formatExact("0")).toBe("0");
  });

  it("are written with cents where there are some", () => {
    expect(goldOf(16)).toBe("16");
    expect(goldOf(-27.5)).toBe("−27.50");
  });
});
