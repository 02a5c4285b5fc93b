import { describe, expect, it } from "vitest";
import { scoreLines, onMeter, type Score } from "./score_breakdown";

const HAND_SCORES = { pair: 30, high_card: 0 };

function score(given: Partial<Score>): Score {
  return {
    hand: ["3♠", "7♥", "A♣", "K♠", "K♦"],
    rank: "pair",
    matched: ["K♠", "K♦"],
    base: 44,
    suit_counts: { spades: 2, hearts: 1, clubs: 1, diamonds: 1 },
    bonuses: { spades: 85.43, hearts: 0, clubs: 3, diamonds: -5 },
    suit: 168.86,
    modifiers: 15,
    sources: [{ source: "item lucky_ace_charm", points: 15 }],
    total: 227.86,
    ...given,
  };
}

describe("a score as lines", () => {
  it("adds up to the total, exact to the hundredth", () => {
    const lines = scoreLines(score({}), HAND_SCORES);

    expect(lines.map((line) => line.key)).toEqual(["base", "spades", "hearts", "clubs", "diamonds", "source 0"]);
    expect(lines.map((line) => line.points)).toEqual([4400n, 17086n, 0n, 300n, -500n, 1500n]);
    expect(lines.at(-1)?.sum).toBe(22786n);
  });

  it("says what the hand scores by itself, and what its cards add", () => {
    expect(scoreLines(score({}), HAND_SCORES)[0]).toMatchObject({ own: 3000n, cards: 1400n });
  });

  it("leaves out suits that were not drawn", () => {
    const lines = scoreLines(score({ suit_counts: { spades: 5, hearts: 0, clubs: 0, diamonds: 0 } }), HAND_SCORES);

    expect(lines.filter((line) => line.kind === "suit")).toHaveLength(1);
  });

  it("has a line for the floor where the sum would be below zero", () => {
    const drunk = score({
      base: 20,
      suit_counts: { hearts: 5 },
      bonuses: { hearts: -5 },
      sources: [{ source: "buff poisoned", points: -25 }],
      total: 0,
    });

    expect(scoreLines(drunk, HAND_SCORES).at(-1)).toMatchObject({ kind: "floor", points: 3000n, sum: 0n });
  });
});

describe("the meter", () => {
  it("has room for the larger of total and threshold", () => {
    expect(onMeter(10000n, 10000n, 20000n)).toBeCloseTo(0.4545, 3);
    expect(onMeter(20000n, 10000n, 20000n)).toBeCloseTo(0.909, 3);
    expect(onMeter(0n, 0n, 0n)).toBe(0);
    expect(onMeter(-100n, 0n, 500n)).toBe(0);
  });
});
