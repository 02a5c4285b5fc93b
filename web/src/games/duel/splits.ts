/** Splits of a hand, represented by the places of the defending cards. */
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

/** Return the split of `size` cards with all on one side. */
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

/** Return the places of cards in a hand. */
export function placesOf(cards: readonly string[], hand: readonly string[]): number[] {
  return cards.map((card) => hand.indexOf(card)).sort((a, b) => a - b);
}

/** Return the split in which these places of the hand defend; null where it is not listed. */
export function splitOf<S extends Sides>(splits: readonly S[], hand: readonly string[], draft: Draft): S | null {
  return splits.find((split) => samePlaces(placesOf(split.defense.cards, hand), draft)) ?? null;
}

/** Return the ranks of sorted splits from 1; equal splits share a rank. */
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

/** Return the Pareto frontier of attack and defence, the strongest attack first. */
export function frontier<S extends Sides>(splits: readonly S[]): S[] {
  const byAttack = [...splits].sort((a, b) => b.attack.total - a.attack.total || b.defense.total - a.defense.total);
  let strongest = -Infinity;
  return byAttack.filter((split) => {
    const isBetter = split.defense.total > strongest;
    if (isBetter) strongest = split.defense.total;
    return isBetter;
  });
}

/** Return the action that selects exactly these defending places; null where it is not legal. */
export function defenseAction(actions: readonly Actions["duel"][], draft: Draft): Actions["duel"] | null {
  return actions.find((action) => action.type === "select_defense" && samePlaces(action.card_indices, draft)) ?? null;
}

export function actionOf(actions: readonly Actions["duel"][], type: "execute_turn" | "flee"): Actions["duel"] | null {
  return actions.find((action) => action.type === type) ?? null;
}

/** Whether the parts of a power add up to its total; they do not where a minimum applies. */
export function addsUp(power: Power): boolean {
  const { values, bonus, gear, skill, ability = 0, combo = 0, critical = 0, environment = 0 } = power;
  return values + bonus + gear + skill + ability + combo + critical + environment === power.total;
}
