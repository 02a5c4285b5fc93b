import { describe, expect, test } from "vitest";
import { callsOf, find, abilityStates, keepAction, moveItem, orderAction, toggleChoice, type Action } from "./choices";
import type { Rules, View } from "./deck";

const RULES = { abilities: { peek: 3, extra: 2, reshuffle: 0 } } as unknown as Rules;
const VIEW = { uses: [[1, 0, 0, 0, 0, 2, 0, 0]] } as unknown as View;

describe("abilities", () => {
  test("have what is left of them, and their uses from the list", () => {
    const actions: Action[] = [{ type: "peek", count: 1 }, { type: "peek", count: 2 }, { type: "ready" }];
    expect(abilityStates(VIEW, RULES, 1, actions)).toEqual([
      { ability: "peek", most: 3, left: 2, uses: [{ action: actions[0], count: 1 }, { action: actions[1], count: 2 }] },
      { ability: "extra", most: 2, left: 0, uses: [] },
    ]);
  });
});

describe("choices come from the list", () => {
  const actions: Action[] = [
    { type: "call", player: 1, check: "hard" },
    { type: "keep", places: [0, 2] },
    { type: "reorder", order: [1, 0] },
    { type: "end_turn" },
  ];

  test("by their kind", () => {
    expect(callsOf(actions)).toEqual([actions[0]]);
    expect(find(actions, "end_turn")).toBe(actions[3]);
    expect(find(actions, "ready")).toBeUndefined();
  });

  test("by their cards", () => {
    expect(keepAction(actions, [2, 0])).toBe(actions[1]);
    expect(keepAction(actions, [0, 1])).toBeUndefined();
    expect(orderAction(actions, [1, 0])).toBe(actions[2]);
    expect(orderAction(actions, [0, 1])).toBeUndefined();
  });
});

describe("hands", () => {
  test("never choose more than count: the first chosen goes", () => {
    expect(toggleChoice([0, 1], 2, 2)).toEqual([1, 2]);
    expect(toggleChoice([0, 1], 1, 2)).toEqual([0]);
  });

  test("move one card among the others", () => {
    expect(moveItem(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
    expect(moveItem(["a", "b", "c"], 2, 0)).toEqual(["c", "a", "b"]);
    expect(moveItem(["a", "b"], 0, -1)).toEqual(["a", "b"]);
  });
});
