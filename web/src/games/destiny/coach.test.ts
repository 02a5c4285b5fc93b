import { describe, expect, it } from "vitest";
import type { Prospect } from "./questions";
import { bestPaid, rankCrimes } from "./coach";

const prospect = {
  crimes: {
    dear: { gold: "20", experience: "1", gold_per_energy: "1/2" },
    cheap: { gold: "5", experience: "2", gold_per_energy: "2/3" },
    free: { gold: "1/2", experience: "0", gold_per_energy: null },
  },
} as unknown as Prospect;

describe("what pays most", () => {
  it("goes by gold for each energy", () => {
    expect(bestPaid(prospect)).toEqual({ crime: "cheap", perEnergy: "2/3" });
  });

  it("begins with what costs no energy and pays, and ends with what does neither", () => {
    const idle = { gold: "-1", experience: "0", gold_per_energy: null } as Prospect["crimes"][string];

    expect(rankCrimes({ ...prospect, crimes: { idle, ...prospect.crimes } }).map((row) => row.crime)).toEqual([
      "free",
      "cheap",
      "dear",
      "idle",
    ]);
  });
});
