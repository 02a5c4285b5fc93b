/** Descriptions of rules: hands, kinds of dice, items, and bosses. */
import { percent } from "../../design/numbers";
import { words } from "./text";
import type { PoolDie, Rules } from "./questions";


type Hand = Rules["hands"][string];
type Kind = Rules["kinds"][string];
type Item = Rules["items"][string];

export function handNeeds({ condition, pattern }: Pick<Hand, "condition" | "pattern">): string {
  const [first = 1] = pattern;
  switch (condition) {
    case "groups":
      return words.pattern.groups(pattern);
    case "run":
      return words.pattern.run(first);
    case "faces":
      return words.pattern.faces(pattern);
    case "only":
      return words.pattern.only(pattern);
    case "highest":
      return words.pattern.highest(first);
  }
}

export function kindDoes(kind: Kind): string {
  const parts = [kind.effect === "plain" ? rolls(kind.weights) : words.kindSays[kind.effect]];
  if (kind.effect !== "plain" && !isFair(kind.weights)) parts.push(rolls(kind.weights));
  if (kind.bonus || kind.bonus_per_level) parts.push(bonusSays(kind));
  if (Number(kind.shatter)) parts.push(words.kindSays.shatters(percent(kind.shatter, 0)));
  return parts.join("; ");
}

function bonusSays(kind: Kind): string {
  const parts = [words.kindSays.bonus(kind.bonus)];
  if (kind.bonus_faces.length < 6) parts.push(words.kindSays.forFaces(kind.bonus_faces));
  if (kind.bonus_needs_match) parts.push(words.kindSays.forMatch);
  const text = parts.join(" ");
  return kind.bonus_per_level ? `${text}, ${words.kindSays.perLevel(kind.bonus_per_level)}` : text;
}

function isFair(weights: (string | number)[]): boolean {
  return weights.every((weight) => Number(weight) === Number(weights[0]));
}

function rolls(weights: (string | number)[]): string {
  if (isFair(weights)) return words.kindSays.fair;
  const possible = weights.flatMap((weight, index) => (Number(weight) ? [index + 1] : []));
  const isEven = isFair(weights.filter((weight) => Number(weight)));
  return isEven ? words.kindSays.only(possible) : words.kindSays.weighted(weights);
}

export function itemDoes(item: Item): string {
  const says = words.itemSays;
  const parts: string[] = [];
  if (item.rerolls) parts.push(says.rerolls(item.rerolls));
  if (item.flat) parts.push(says.flat(item.flat));
  if (Number(item.multiplier)) parts.push(says.multiplier(String(item.multiplier), item.faces));
  if (item.money) parts.push(says.money(item.money));
  if (item.saves) parts.push(says.saves(item.saves));
  if (item.reweighs) parts.push(says.reweighs(item.reweighs, item.weights));
  return parts.join("; ");
}

export type DiceRules = Rules;
type Boss = Rules["bosses"]["kinds"][number];

export const isBoss = (name: string): name is Boss => name in words.bossSays;

/** Describe a boss; `fixed` is the die that the lockdown holds, with places from 0. */
export function bossDoes(boss: Boss, rules: Pick<Rules, "bosses">, fixed: { place: number; face: number } | null): string {
  const says = words.bossSays;
  if (boss === "lockdown") return says.lockdown(fixed ? fixed.place + 1 : null, fixed?.face ?? null);
  return boss === "miser" ? says.miser(rules.bosses.miser_rerolls) : says[boss];
}

/** Return the face of a kind's picture: the highest that it can roll, with a bonus if any. */
export function pictureFace(kind: Kind | undefined): number {
  const faces = [6, 5, 4, 3, 2, 1].filter((face) => Number(kind?.weights[face - 1] ?? 1));
  return faces.find((face) => kind?.bonus_faces.includes(face)) ?? faces[0] ?? 6;
}

export function dieName(die: PoolDie): string {
  return words.die(die.kind, die.level ?? 0);
}

/** Return "dice 1, 3" for the places 0 and 2. */
export function diceAt(places: number[]): string {
  return words.receipt.dice(places.map((place) => place + 1));
}
