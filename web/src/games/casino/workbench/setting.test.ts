import { describe, expect, it } from "vitest";
import * as casino from "./setting";

describe("a setting of Casino", () => {
  it("shows a table of Casino as seat 0 sees it", () => {
    const setting = { ...casino.start(), players: 3, mine: ["A♠"], builds: [{ cards: [], owner: 0 }] };

    expect(casino.viewOf(setting)).toMatchObject({ hand_sizes: [4, 4, 4], builds: [], piles: [["A♠"], [], []], last_capture: 0 });
    expect(casino.viewOf(casino.start())).not.toHaveProperty("piles");
    expect(casino.cardsElsewhere(setting, setting.hand)).toEqual(["3♠", "4♥", "8♣", "K♣", "A♠"]);
  });
});
