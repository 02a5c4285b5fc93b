/** Cards as people type them: "10s 7h 5♣", with commas or without. */
import { SUITS, type Suit } from "../design/cards";

export const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"] as const;
const LETTERS: Record<string, Suit> = { s: "♠", h: "♥", c: "♣", d: "♦" };

/** All cards of a usual deck, suit by suit. */
export const DECK: readonly string[] = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));

/** Parse cards; words that are no cards are returned as `strange`. */
export function readCards(text: string): { cards: string[]; strange: string[] } {
  const cards: string[] = [];
  const strange: string[] = [];
  for (const part of text.split(/[\s,;]+/).filter(Boolean)) {
    const found = /^(10|[2-9tjqka])([♠♥♣♦shcd])\ufe0f?$/iu.exec(part);
    if (!found) {
      strange.push(part);
      continue;
    }
    const rank = found[1]!.toUpperCase();
    const suit = LETTERS[found[2]!.toLowerCase()] ?? found[2]!;
    cards.push((rank === "T" ? "10" : rank) + suit);
  }
  return { cards, strange };
}
