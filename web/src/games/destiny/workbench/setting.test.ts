import { describe, expect, it } from "vitest";
import * as destiny from "./setting";

describe("a setting of the Destiny Deck", () => {
  it("finds characters, thresholds and members of the Destiny Deck in its rules", () => {
    const rules = { outlaws: { rose: { skills: { stealth: 4 } } }, crimes: { bank: { threshold: 275 } }, skill_checks: { easy: 100 } };

    expect(destiny.sheetOf("rose", rules)).toEqual({ skills: { stealth: 4 }, bonuses: {}, items: [], location: null, buffs: {} });
    expect(destiny.sheetOf("veteran", rules)).toBeNull();
    expect([
      destiny.thresholdOf("bank", rules),
      destiny.thresholdOf("easy", rules),
      destiny.thresholdOf("x", rules),
      destiny.thresholdOf(7, rules),
    ]).toEqual([275, 100, null, 7]);
    expect(destiny.membersOf({ rose: 2, jack: 0 })).toEqual(["rose", "rose"]);
    expect(destiny.levelsOf(100)).toHaveLength(21);
    expect(destiny.levelsOf(30).at(-1)).toBe(30);
    expect(destiny.withoutSkill({ ...destiny.sheetOf("rose", rules)! }, "stealth")).toMatchObject({ skills: {} });
    expect(destiny.withoutSkill("rose", "stealth")).toBe("rose");
  });
});
