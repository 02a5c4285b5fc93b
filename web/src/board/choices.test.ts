import { describe, expect, it } from "vitest";
import { canPick, choicesOf, findByParts, findPicked, hasAllFaces, labelOf, optionsOf } from "./choices";
import type { Json } from "./game_types";
import { CAVE, PIG, SHOWDOWN } from "./test_data";

describe("choices", () => {
  it("are buttons in plain words", () => {
    expect(choicesOf(CAVE, ["go_deeper", "leave"], {})).toEqual({
      buttons: [{ action: "go_deeper", label: "Go deeper" }, { action: "leave", label: "Leave" }],
      picks: null,
      parts: null,
    });
  });

  it("name a struct by its tag and its fields", () => {
    expect(labelOf(SHOWDOWN, { type: "bid", count: 3, face: 5 }, {})).toBe("Bid: count 3, face 5");
  });

  it("are cards to pick where actions hold cards, beside buttons for words", () => {
    const { buttons, picks } = choicesOf(SHOWDOWN, [[], ["Q♠"], ["Q♠", "10♥"], "call"], {});

    expect(buttons.map((button) => button.label)).toEqual(["Call"]);
    expect(picks).toMatchObject({ of: "card", faces: ["Q♠", "10♥"], most: 2 });
    expect(findPicked(picks!, [])).toEqual([]);
    expect(findPicked(picks!, ["10♥", "Q♠"])).toEqual(["Q♠", "10♥"]);
    expect(findPicked(picks!, ["10♥"])).toBeUndefined();
    expect([canPick(picks!, ["10♥"]), canPick(picks!, ["10♥", "10♥"]), canPick(picks!, ["A♠"])]).toEqual([true, false, false]);
  });

  it("count equal dice", () => {
    const { picks } = choicesOf(SHOWDOWN, [[6], [6, 6], [2]], {});

    expect(picks).toMatchObject({ of: "die", faces: [6, 6, 2] });
    expect(hasAllFaces(picks!, [6, 2, 6, 1])).toBe(true);
    expect(hasAllFaces(picks!, [6, 2, null])).toBe(false);
    expect(findPicked(picks!, [6, 6])).toEqual([6, 6]);
  });

  it("are chosen part by part where there are many of the same parts", () => {
    const bids: Json[] = [1, 2, 3].flatMap((count) => [2, 3, 4, 5, 6].map((face) => ({ type: "bid", count, face })));
    const { buttons, parts } = choicesOf(SHOWDOWN, [...bids.slice(1), "call"], {});

    expect(buttons).toEqual([{ action: "call", label: "Call" }]);
    expect(parts!.names).toEqual(["Count", "Face"]);
    expect(optionsOf(parts!, [])).toEqual(["1", "2", "3"]);
    expect(optionsOf(parts!, ["1"])).toEqual(["3", "4", "5", "6"]);
    expect(findByParts(parts!, ["1"])).toBeUndefined();
    expect(findByParts(parts!, ["1", "4"])).toEqual({ type: "bid", count: 1, face: 4 });
    expect(findByParts(parts!, ["1", "2"])).toBeUndefined();
  });

  it("are none where nothing is listed", () => {
    expect(choicesOf(PIG, [], {})).toEqual({ buttons: [], picks: null, parts: null });
  });
});
