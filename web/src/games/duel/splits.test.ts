import { describe, expect, it } from "vitest";
import type { Actions } from "../../api/types";
import {
  actionOf,
  addsUp,
  allOn,
  defenseAction,
  frontier,
  moveCard,
  placesOf,
  placesOn,
  ranks,
  samePlaces,
  sideOf,
  splitOf,
  toggleCard,
  type Power,
  type Sides,
} from "./splits";

const HAND = ["10♠", "7♥", "5♣", "A♦", "3♠"];

function power(cards: string[], total: number): Power {
  return { cards, rank: "high_card", values: total, bonus: 0, gear: 0, skill: 0, total };
}

function sides(defends: string[], attack: number, defense: number): Sides {
  return { attack: power(HAND.filter((card) => !defends.includes(card)), attack), defense: power(defends, defense) };
}

describe("a draft", () => {
  it("moves a card to a side once, and back again", () => {
    expect(moveCard([], 2, "defense")).toEqual([2]);
    expect(moveCard([2], 2, "defense")).toEqual([2]);
    expect(moveCard([2, 4], 2, "attack")).toEqual([4]);
    expect(toggleCard([4], 1)).toEqual([1, 4]);
    expect(toggleCard([1, 4], 4)).toEqual([1]);
  });

  it("puts all cards on one side", () => {
    expect(allOn("attack", 5)).toEqual([]);
    expect(allOn("defense", 5)).toEqual([0, 1, 2, 3, 4]);
  });

  it("says where each card lies", () => {
    expect(sideOf([1], 1)).toBe("defense");
    expect(sideOf([1], 0)).toBe("attack");
    expect(placesOn([1, 3], "attack", 5)).toEqual([0, 2, 4]);
    expect(placesOn([1, 3], "defense", 5)).toEqual([1, 3]);
  });

  it("knows the same places in any order", () => {
    expect(samePlaces([4, 1], [1, 4])).toBe(true);
    expect(samePlaces([1], [1, 4])).toBe(false);
    expect(placesOf(["3♠", "10♠"], HAND)).toEqual([0, 4]);
  });
});

describe("the splits of the server", () => {
  it("are found by the cards that defend", () => {
    const splits = [sides([], 36, 0), sides(["3♠", "5♣"], 28, 8)];

    expect(splitOf(splits, HAND, [2, 4])).toBe(splits[1]);
    expect(splitOf(splits, HAND, [])).toBe(splits[0]);
    expect(splitOf(splits, HAND, [0])).toBeNull();
  });

  it("share a rank where they deal and take the same", () => {
    const traded = [["9", "1"], ["8", "2"], ["8", "2"], ["5", "5"]].map(([dealt = "", taken = ""]) => ({ dealt, taken, value: null }));

    expect(ranks(traded)).toEqual([1, 2, 2, 4]);
  });

  it("share a rank where they are worth the same", () => {
    const solved = [0.9, 0.9, 0.4].map((value, index) => ({ dealt: String(index), taken: "0", value }));

    expect(ranks(solved)).toEqual([1, 1, 3]);
  });

  it("are worth a thought where no other beats them on both sides", () => {
    const splits = [sides([], 36, 0), sides(["10♠"], 20, 9), sides(["7♥"], 30, 9), sides(HAND, 1, 40)];

    expect(frontier(splits).map((split) => split.attack.total)).toEqual([36, 30, 1]);
  });
});

describe("actions", () => {
  const actions: Actions["duel"][] = [
    { type: "select_attack", card_indices: [0, 1] },
    { type: "select_defense", card_indices: [0, 1] },
    { type: "execute_turn" },
  ];

  it("are those of the server, or none", () => {
    expect(defenseAction(actions, [1, 0])).toBe(actions[1]);
    expect(defenseAction(actions, [2])).toBeNull();
    expect(actionOf(actions, "execute_turn")).toBe(actions[2]);
    expect(actionOf(actions, "flee")).toBeNull();
  });
});

it("parts are shown only where they add up", () => {
  expect(addsUp({ ...power([], 5), values: 3, bonus: 2 })).toBe(true);
  expect(addsUp({ ...power([], 17), values: 3, bonus: 2, ability: 6, combo: 8, critical: 3, environment: -5 })).toBe(true);
  expect(addsUp({ ...power([], 1), values: 0 })).toBe(false);
});
