import { describe, expect, it } from "vitest";
import type { Json } from "./game_types";
import { readOdds } from "./odds";
import { PIG } from "./test_data";

describe("the reply about odds", () => {
  it("has exact numbers without an error, and estimates with theirs", () => {
    const reply: Json = { actions: [{ action: "roll", win: "5/8", score: "7/2" }, { action: "hold", win: 0.25, win_error: 0.01, score: { value: 3, error: 0.5 } }] };

    expect(readOdds(reply, PIG, {})).toEqual({
      isExact: false,
      rows: [
        { key: "0", label: "Roll", win: { value: "5/8", error: null }, score: { value: "7/2", error: null } },
        { key: "1", label: "Hold", win: { value: 0.25, error: 0.01 }, score: { value: 3, error: 0.5 } },
      ],
    });
  });

  it.each<Json>([null, {}, { actions: [] }, { actions: "none" }])("is not shown where it cannot be read: %j", (reply) => {
    expect(readOdds(reply, PIG, {})).toBeNull();
  });
});
