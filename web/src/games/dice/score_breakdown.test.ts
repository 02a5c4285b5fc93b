import { expect, it } from "vitest";
import { factor, scoreParts } from "./score_breakdown";
import { scoreOf } from "./test_data";

const sum = (score: ReturnType<typeof scoreOf>): string =>
  scoreParts(score)
    .map((layer) => `${layer.sign}${layer.value}`)
    .join(" ");

it("shows a bare hand as base, dice, multiplier and total", () => {
  expect(sum(scoreOf())).toBe("(30 +15) ×2 =90");
});

it("shows what dice and items add, and what items multiply with, in the order in which it is done", () => {
  const score = scoreOf({
    abilities: [{ place: 2, die: { kind: "glass", level: 1 }, points: 15 }],
    items: [
      { item: "high_roller", flat: 15, multiplier: 0 },
      { item: "even_steven", flat: 0, multiplier: 0.5 },
    ],
    item_multiplier: 0.5,
    total: 180,
  });

  expect(sum(score)).toBe("(30 +15) ×2 =90 +15 +15 ×(1 + 0.5) =180");
  expect(scoreParts(score).map((layer) => layer.caption)).toEqual([
    "base", "matched dice", "multiplier", "Three of a kind", "glass +1 die", "High Roller", "Even Steven", "total",
  ]);
});

it("says the level of a hand that was raised", () => {
  expect(scoreParts(scoreOf({ level: 2 }))[0]?.caption).toBe("base, level 2");
});

it("writes multipliers without idle zeros", () => {
  expect([2, 2.5, "2.0", "10", "0.50"].map(factor)).toEqual(["2", "2.5", "2", "10", "0.5"]);
});
