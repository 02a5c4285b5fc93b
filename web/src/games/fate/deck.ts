/** Cards of the rules, and the known places of deck and discard pile, for display. */
import type { AnyRules, Schema, Views } from "../../api/types";
import { cardFace, cardName } from "../../design/cards";
import { words } from "./text";
import { describeTrigger } from "./triggers";

export type Rules = AnyRules["fate"];
export type View = Views["fate"];
export type Memory = View["memory"];
export type CardKind = Rules["cards"][number];
export type Result = Schema<"fate.Result">;
export type Place = string | number | null;

const SUITS = ["spades", "hearts", "clubs", "diamonds", "wild", "none"] as const;
const PRINTED: Record<string, string> = { "♠": "spades", "♥": "hearts", "♣": "clubs", "♦": "diamonds" };

export function kindOf(rules: Rules, card: string): CardKind | undefined {
  return rules.cards.find((kind) => kind.name === card);
}

/** Whether the name of a card has its suit, so that it is drawn as a playing card. */
export function isPrinted(kind: CardKind): boolean {
  const { suit } = cardFace(kind.name);
  return suit !== null && PRINTED[suit] === kind.suit;
}

/** Return the name of a card: "three of spades", "red joker". */
export function nameOf(card: string): string {
  return words.jokers[card] ?? cardName(card);
}

/** Return the full name of a card: "red joker, worth 0, any suit". */
export function labelOf(rules: Rules, card: string): string {
  const kind = kindOf(rules, card);
  if (!kind) return nameOf(card);
  return words.card(nameOf(card), kind.value, isPrinted(kind) ? null : (words.suits[kind.suit] ?? kind.suit));
}

export const namesOf = (cards: readonly string[]): string => words.list(cards.map(nameOf));

export const modifierOf = (rules: Rules, player: number): number => rules.modifiers[player - 1] ?? 0;

export type Character = Rules["characters"][number];
export type CheckKind = Rules["checks"][string];

/** Return the character of a player; after the last one the first follows, and without any it is undefined. */
export function characterOf(rules: Rules, player: number): Character | undefined {
  return rules.characters[(player - 1) % Math.max(rules.characters.length, 1)];
}

/** Return what a player adds in a check: its modifier, and its character's attribute and skill. */
export function checkModifier(rules: Rules, player: number, kind: CheckKind | undefined): number {
  const character = characterOf(rules, player);
  const score = (scores: Record<string, number> | undefined, name: string | undefined): number => (name && scores?.[name]) || 0;
  return modifierOf(rules, player) + score(character?.attributes, kind?.attribute) + score(character?.skills, kind?.skill);
}

/** Return what a check adds and counts, as far as the rules play for stakes. */
export function stakesOf(rules: Rules, kind: CheckKind): string[] {
  const labels = words.check;
  const names = [kind.attribute, kind.skill].filter((name): name is string => Boolean(name));
  const parts = names.length ? [labels.adds(words.list(names.map(words.talents.name)))] : [];
  if (typeof kind.target !== "number") return parts;
  if (kind.worth !== 1 || rules.health) parts.push(labels.worth(kind.worth ?? 1));
  if (kind.harm && rules.health) parts.push(labels.harm(kind.harm));
  return parts;
}

/** Return the effect of a talent, and when it happens. */
export function describeTalent(rules: Rules, name: string): string {
  const talent = rules.talents[name];
  if (!talent) return "";
  const { effect } = talent;
  const amount = "amount" in effect ? effect.amount : "cards" in effect ? effect.cards : 1;
  const line =
    effect.kind === "regain" ? words.talents.regain(words.abilities.names[effect.ability] ?? effect.ability) : (words.talents.effects[effect.kind]?.(amount ?? 1) ?? "");
  return words.talents.line(line, describeTrigger(talent.trigger));
}

/** A card, one of a set, or a run of places of which nothing is known. */
export type PileEntry = { key: string; place: number } & (
  { sort: "card"; card: string } | { sort: "set"; set: number } | { sort: "unknown"; count: number }
);

/** Return the places of a pile from its top, with unknown places in runs. */
export function pileEntries(places: readonly Place[]): PileEntry[] {
  const entries: PileEntry[] = [];
  places.forEach((what, place) => {
    const key = String(place);
    const last = entries.at(-1);
    if (typeof what === "string") entries.push({ key, place, sort: "card", card: what });
    else if (typeof what === "number") entries.push({ key, place, sort: "set", set: what });
    else if (last?.sort === "unknown") last.count += 1;
    else entries.push({ key, place, sort: "unknown", count: 1 });
  });
  return entries;
}

/** The known place of a card. */
export type Whereabouts = { kind: CardKind; copies: number; unseen: number; where: "unseen" | "deck" | "discard" | "out" };

/** Return all cards by suit, each with its known place. */
export function whereabouts(rules: Rules, memory: Memory): Whereabouts[][] {
  const found = rules.cards.map((kind): Whereabouts => {
    const is = (card: Place): boolean => card === kind.name;
    const unseen = memory.unseen.filter(is).length;
    const inSet = (places: readonly Place[]): boolean =>
      places.some((place) => typeof place === "number" && memory.sets[place - 1]?.cards.includes(kind.name));
    const has = (places: readonly Place[]): boolean => places.some(is) || inSet(places);
    const where = unseen ? "unseen" : has(memory.deck) ? "deck" : has(memory.discard) ? "discard" : "out";
    return { kind, copies: kind.copies ?? 1, unseen, where };
  });
  return SUITS.map((suit) => found.filter((one) => one.kind.suit === suit)).filter((row) => row.length);
}

/** Return the cards on top that the viewer has just peeked at. */
export function peekedCards(view: View, viewer: number | null): string[] {
  const count = viewer ? (view.peeked[viewer - 1] ?? 0) : 0;
  return view.memory.deck.slice(0, count).filter((place): place is string => typeof place === "string");
}
