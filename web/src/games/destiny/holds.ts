/** What a seat holds of a hand, as an action, and what an exchange costs. */
import { goldOf } from "./points";
import type { Action, Rules } from "./questions";
import { words } from "./text";

export const STAND: Action = { type: "stand" };

/** Return the action that holds the cards at these places; to hold all of them is to stand. */
export function holdAction(hand: readonly string[], held: readonly number[]): Action {
  if (held.length === hand.length) return STAND;
  return { type: "hold", places: [...held].sort((one, other) => one - other) };
}

/** Return the price of an exchange in words; nothing where it is free. */
export function priceOf(redraws: Rules["redraws"]): string {
  const parts = [
    ...(redraws.energy ? [words.hold.energy(redraws.energy)] : []),
    ...(Number(redraws.gold) ? [words.money(goldOf(redraws.gold))] : []),
  ];
  return parts.join(" + ");
}
