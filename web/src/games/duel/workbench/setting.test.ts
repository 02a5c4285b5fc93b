import { describe, expect, it } from "vitest";
import * as duel from "./setting";

describe("a setting of the Combat Duel", () => {
  it("asks about splits only of whole hands, and about what the house shows only where it shows it", () => {
    expect(duel.splitQuestion({ ...duel.start(), hand: ["A♠"] }, "default", true)).toBeNull();
    expect(duel.splitQuestion(duel.start(), "default", true)).toMatchObject({ enemy_attack: 25, enemy_defense: 10 });
    expect(duel.splitQuestion(duel.start(), "hidden", false)).toMatchObject({ enemy_attack: null, enemy_defense: null });
  });
});
