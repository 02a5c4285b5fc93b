/** A split of a hand is kept as the places that defend; nothing here knows what it is worth. */
import type { Actions, Schema } from "../../api/types";

export type Side = "attack" | "defense";
export type Power = Schema<"duel.Power">;
/** The places of the cards that defend, ascending. */
export type Draft = readonly number[];
export type Sides = { attack: Power; defense: Power };

export function otherSide(side: Side): Side {
  return side === "attack" ? "defense" : "attack";
}

export function sideOf(draft: Draft, place: number): Side {
  return draft.includes(place) ? "defense" : "attack";
}

/** Return the split with one card on a side. */
export function moveCard(draft: Draft, place: number, side: Side): Draft {
  const others = draft.filter((one) => one !== place);
  return side === "attack" ? others : [...others, place].sort((a, b) => a - b);
}

export function toggleCard(draft: Draft, place: number): Draft {
  return moveCard(draft, place, otherSide(sideOf(draft, place)));
}

/** Return the split with all of so many cards on one side. */
export function allOn(side: Side, size: number): Draft {
  return side === "attack" ? [] : Array.from({ length: size }, (_, place) => place);
}

/** Return the places of a hand that are on a side. */
export function placesOn(draft: Draft, side: Side, size: number): number[] {
  return Array.from({ length: size }, (_, place) => place).filter((place) => sideOf(draft, place) === side);
}

export function samePlaces(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((place) => other.includes(place));
}

/** Return the places that cards have in a hand. */
export function placesOf(cards: readonly string[], hand: readonly string[]): number[] {
  return cards.map((card) => hand.indexOf(card)).sort((a, b) => a - b);
}

/** Return the one of some splits in which these places of the hand defend, if it is there. */
export function splitOf<S extends Sides>(splits: readonly S[], hand: readonly string[], draft: Draft): S | null {
  return splits.find((split) => samePlaces(placesOf(split.defense.cards, hand), draft)) ?? null;
}

/** Return the places of ranked splits from 1; splits that deal, take and are worth the same share one. */
export function ranks(splits: readonly { dealt: string; taken: string; value: number | null }[]): number[] {
  const found: number[] = [];
  splits.forEach((split, index) => {
    const before = splits[index - 1];
    const same =
      before !== undefined &&
      (split.value === null ? before.dealt === split.dealt && before.taken === split.taken : before.value === split.value);
    found.push(same ? (found[index - 1] ?? 1) : index + 1);
  });
  return found;
}

/** Return the splits that no other one beats in attack and defence at once, the strongest attack first. */
export function frontier<S extends Sides>(splits: readonly S[]): S[] {
  const byAttack = [...splits].sort((a, b) => b.attack.total - a.attack.total || b.defense.total - a.defense.total);
  let strongest = -Infinity;
  return byAttack.filter((split) => {
    const stands = split.defense.total > strongest;
    if (stands) strongest = split.defense.total;
    return stands;
  });
}

/** Return the action that lets exactly these places defend, if the server offers it. */
export function defenseAction(actions: readonly Actions["duel"][], draft: Draft): Actions["duel"] | null {
  return actions.find((action) => action.type === "select_defense" && samePlaces(action.card_indices, draft)) ?? null;
}

export function actionOf(actions: readonly Actions["duel"][], type: "execute_turn" | "flee"): Actions["duel"] | null {
  return actions.find((action) => action.type === type) ?? null;
}

/** Whether the parts of a power add up to it: where a least number counts instead, they do not. */
export function addsUp(power: Power): boolean {
  return power.values + power.bonus + power.gear + power.skill === power.total;
}
