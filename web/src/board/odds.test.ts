import { afterEach, describe, expect, it, vi } from "vitest";
import type { Json } from "./game_types";
import { loadOdds, oddsRequest, readOdds } from "./odds";
import { PIG } from "./test_data";

afterEach(() => vi.unstubAllGlobals());

describe("the reply about odds", () => {
  it("is exact where it says so", () => {
    const reply: Json = { basis: "exact", games: 0, play: "random", rows: [{ action: "roll", win: "5/8", score: "7/2", win_error: 0, score_error: 0, is_best: true }] };

    expect(readOdds(reply, PIG, {})).toEqual({
      isExact: true,
      games: 0,
      play: "random",
      rows: [{ key: "0", label: "Roll", win: { value: "5/8", error: null }, score: { value: "7/2", error: null }, isBest: true }],
    });
  });

  it("has the error of each estimate, 0 too, and a row without an action", () => {
    const reply: Json = { basis: "estimated", games: 500, rows: [{ action: null, win: "1/4", score: 3, win_error: 0.01 }] };

    expect(readOdds(reply, PIG, {})).toEqual({
      isExact: false,
      games: 500,
      play: null,
      rows: [{ key: "0", label: "", win: { value: "1/4", error: 0.01 }, score: { value: 3, error: 0 }, isBest: false }],
    });
  });

  it.each<Json>([null, {}, { rows: [] }, { rows: "none" }])("is not shown where it cannot be read: %j", (reply) => {
    expect(readOdds(reply, PIG, {})).toBeNull();
  });
});

describe("the request about odds", () => {
  it.each([[true, { pot: 3, rules: { goal: 9 } }], [false, { pot: 3 }]])("has the rules in the view if the question wants them there: %s", async (wanted, view) => {
    const properties = wanted ? { pot: {}, rules: {} } : { pot: {} };
    const form = { request: { properties: { view: { anyOf: [{ $ref: "#/$defs/View" }, { type: "null" }] } }, $defs: { View: { properties } } } };
    vi.stubGlobal("fetch", async (url: string) => new Response(JSON.stringify(url.endsWith("/odds") ? form : [{ name: "odds" }])));

    expect(await loadOdds(`pig ${wanted}`)).toBe(true);
    expect(oddsRequest(`pig ${wanted}`, { goal: 9 }, { pot: 3 }, 1)).toEqual({ rules: { goal: 9 }, view, seat: 1 });
  });

  it.each([[[]], [[{ name: "odds" }]]])("is not made for a game without such a question: %j", async (listed) => {
    vi.stubGlobal("fetch", async (url: string) => new Response(JSON.stringify(url.endsWith("/odds") ? { request: { properties: { pool: {} } } } : listed)));

    expect(await loadOdds(`none ${listed.length}`)).toBe(false);
  });
});
