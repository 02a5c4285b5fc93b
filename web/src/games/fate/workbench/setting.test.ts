import { describe, expect, it } from "vitest";
import * as fate from "./setting";

describe("a setting of the Fate Deck", () => {
  it("takes a card of the Fate Deck back when all its copies lie somewhere", () => {
    const deck = fate.start().deck;
    const once = fate.put(deck, "3♠", "top", 2);
    const twice = fate.put(once, "3♠", "seen", 2);

    expect([twice.top, twice.seen]).toEqual([["3♠"], ["3♠"]]);
    expect(fate.put(twice, "3♠", "out", 2)).toEqual(deck);
  });

  it("asks about abilities only where there is something to reach", () => {
    expect(fate.abilitiesOf({ ...fate.start(), target: null, triggers: [" "] }, "default")).toBeNull();
    expect(fate.abilitiesOf({ ...fate.start(), target: null }, "default")).toMatchObject({ trigger: "single(spade)" });
  });
});
