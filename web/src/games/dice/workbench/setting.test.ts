import { describe, expect, it } from "vitest";
import * as dice from "./setting";

describe("a setting of Dice Hands", () => {
  it("says dice as people do", () => {
    expect(dice.poolText(["normal", "glass+2", "normal"])).toBe("2 × normal, glass+2");
    expect(dice.readDie("glass+2")).toEqual({ kind: "glass", level: 2 });
    expect([dice.dieText("odd", 0), dice.dieText("odd", 3)]).toEqual(["odd", "odd+3"]);
    expect(dice.questionOf({ ...dice.start(), boss: "lockdown", held: 2 }, "default", { target: true, rerolls: false })).toMatchObject({
      fixed: { place: 2, face: 1 },
      target: 90,
      rerolls: null,
    });
    expect(dice.bossesOf({ ...dice.start(), boss: "miser" }, { bosses: { kinds: ["inverter"] } })).toEqual(["inverter", "miser"]);
  });
});
