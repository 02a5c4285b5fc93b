import { describe, expect, it } from "vitest";
import { DECK, readCards } from "./cards";

describe("cards as people type them", () => {
  it.each([
    ["10s 7h 5c Ad 3s", ["10♠", "7♥", "5♣", "A♦", "3♠"]],
    ["Ts,7♥;K♣️", ["10♠", "7♥", "K♣"]],
    ["", []],
  ])("reads %j", (text, cards) => {
    expect(readCards(text)).toEqual({ cards, strange: [] });
  });

  it("tells what is no card", () => {
    expect(readCards("1s 11h As x")).toEqual({ cards: ["A♠"], strange: ["1s", "11h", "x"] });
  });

  it("knows 52 cards", () => {
    expect(new Set(DECK).size).toBe(52);
  });
});
