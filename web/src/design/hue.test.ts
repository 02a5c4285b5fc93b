import { describe, expect, it } from "vitest";
import { hueOf } from "./hue";

describe("the hue of a name", () => {
  it("is the same each time, from 0 to 359, and differs between names", () => {
    const hues = ["pig", "kuhn", "blackjack", "hold_and_draw"].map(hueOf);

    expect(hues).toEqual(["pig", "kuhn", "blackjack", "hold_and_draw"].map(hueOf));
    expect(new Set(hues).size).toBe(4);
    expect(hues.every((hue) => hue >= 0 && hue < 360)).toBe(true);
  });
});
