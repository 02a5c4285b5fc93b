import { describe, expect, it } from "vitest";
import { curveQuestion, skillOf } from "./charts";

describe("a curve over the levels of a skill", () => {
  it("changes one skill of one character, and asks to be without it at level 0", () => {
    const check = { character: "rose", target: "bank" };

    expect(curveQuestion("default", check, "character", "stealth", [0, 50, 100], ["success"])).toEqual({
      rules: "default",
      ask: check,
      over: "character.skills.stealth",
      values: [null, 50, 100],
      read: ["success"],
    });
    expect(skillOf({ over: "character.skills.stealth" })).toBe("stealth");
  });
});
