/** The server's legal actions, grouped for the controls of the board. */
import type { Actions, Schema } from "../../api/types";
import type { Table } from "../../match/table.svelte";
import type { Rules, View } from "./deck";

export type Action = Actions["fate"];
export type Ability = Schema<"fate.Ability">;
export type Call = Schema<"fate.CallCheck">;
export type Keep = Schema<"fate.Keep">;
export type Reorder = Schema<"fate.Reorder">;

/** In the order of the uses in a view. */
export const ABILITIES: readonly Ability[] = ["peek", "reorder", "to_bottom", "discard", "return", "extra", "redraw", "reshuffle"];

/** The abilities that belong to a check, and not to the deck. */
export const IN_CHECK: readonly Ability[] = ["extra", "redraw"];

/** An ability of a player: how often it can still be used, and the ways in which it can be used now. */
export type AbilityState = { ability: Ability; left: number; most: number; uses: { action: Action; count: number }[] };

export function abilityStates(view: View, rules: Rules, player: number, actions: readonly Action[]): AbilityState[] {
  const used = view.uses[player - 1] ?? [];
  return ABILITIES.map((ability, place) => {
    const most = rules.abilities[ability] ?? 0;
    const uses = actions
      .filter((action) => action.type === ability)
      .map((action) => ({ action, count: "count" in action ? action.count : 1 }));
    return { ability, most, left: Math.max(0, most - (used[place] ?? 0)), uses };
  }).filter((state) => state.most > 0);
}

/** Return whether the viewer has the choice now. */
export function isDeciding(table: Table<"fate">): boolean {
  return table.viewer !== null && !table.isReplay && !table.isOver && table.frame.deciding.includes(table.viewer);
}

export function callsOf(actions: readonly Action[]): Call[] {
  return actions.filter((action): action is Call => action.type === "call");
}

export function find<T extends Action["type"]>(actions: readonly Action[], type: T): Extract<Action, { type: T }> | undefined {
  return actions.find((action): action is Extract<Action, { type: T }> => action.type === type);
}

const same = (one: readonly number[], other: readonly number[]): boolean =>
  one.length === other.length && one.every((number, place) => number === other[place]);

/** Return the action that puts peeked cards into this order, where there is one. */
export function orderAction(actions: readonly Action[], order: readonly number[]): Reorder | undefined {
  return actions.find((action): action is Reorder => action.type === "reorder" && same(action.order, order));
}

/** Return the action that keeps the cards in these places, where there is one. */
export function keepAction(actions: readonly Action[], places: readonly number[]): Keep | undefined {
  const sorted = [...places].sort((one, other) => one - other);
  return actions.find((action): action is Keep => action.type === "keep" && same(action.places, sorted));
}

/** Return the chosen places with one toggled; beyond `most`, the first choice is dropped. */
export function toggleChoice(chosen: readonly number[], place: number, most: number): number[] {
  if (chosen.includes(place)) return chosen.filter((one) => one !== place);
  return [...chosen, place].slice(-most);
}

/** Return an order with one of its cards moved to another place. */
export function moveItem<T>(order: readonly T[], from: number, to: number): T[] {
  if (to < 0 || to >= order.length || from === to) return [...order];
  const left = order.filter((_, place) => place !== from);
  left.splice(to, 0, order[from]!);
  return left;
}
