import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../rules/schema";
import { ruleRows } from "./rule_table.svelte";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    goal: { type: "integer", minimum: 1, maximum: 1000, default: 100, description: "Points that win the game." },
    bet: { type: "integer", minimum: 2, default: 2 },
    wild: { type: "boolean", default: false },
    deck: { enum: ["short", "full_deck"], default: "short" },
  },
};

describe("the table of rules", () => {
  it("has the value, the bounds and the description of each, and the default where it differs", () => {
    expect(ruleRows(SCHEMA, { goal: 30, bet: 2, wild: true, deck: "full_deck" })).toEqual([
      { name: "goal", label: "Goal", about: "Points that win the game.", value: "30", possible: "1 to 1000", standard: "100" },
      { name: "bet", label: "Bet", about: "", value: "2", possible: "2 or more", standard: null },
      { name: "wild", label: "Wild", about: "", value: "Yes", possible: "Yes and No", standard: "No" },
      { name: "deck", label: "Deck", about: "", value: "Full deck", possible: "Short and Full deck", standard: "Short" },
    ]);
  });

  it("is empty without rules", () => {
    expect(ruleRows({ type: "object", properties: {} }, {})).toEqual([]);
  });
});
