/** Names and drawings of playing cards, from their text: "10♠". */
import { words } from "../text";

export type Suit = "♠" | "♥" | "♣" | "♦";
export type CardFace = { rank: string; suit: Suit | null };

export const SUITS: readonly Suit[] = ["♠", "♥", "♣", "♦"];

/** Each suit as a path in a square from −1 to 1. */
export const SHAPES: Record<Suit, string> = {
  "♠":
    "M0-.95C.3-.5 .92-.15 .92 .32C.92 .66 .66 .84 .42 .8C.28 .78 .17 .7 .11 .6C.13 .8 .22 .92 .36 1H-.36C-.22 .92-.13 .8-.11 .6" +
    "C-.17 .7-.28 .78-.42 .8C-.66 .84-.92 .66-.92 .32C-.92-.15-.3-.5 0-.95Z",
  "♥":
    "M0 .95C-.28 .5-.95 .12-.95-.38C-.95-.72-.7-.92-.45-.92C-.22-.92-.06-.78 0-.58C.06-.78 .22-.92 .45-.92C.7-.92 .95-.72 .95-.38" +
    "C.95 .12 .28 .5 0 .95Z",
  "♣":
    "M.13 .38C.2 .72 .26 .88 .44 1H-.44C-.26 .88-.2 .72-.13 .38C-.28 .56-.46 .6-.6 .56C-.84 .5-.95 .3-.93 .1C-.9-.16-.66-.3-.36-.24" +
    "C-.5-.4-.52-.58-.44-.72C-.34-.9-.16-.95 0-.95C.16-.95 .34-.9 .44-.72C.52-.58 .5-.4 .36-.24C.66-.3 .9-.16 .93 .1C.95 .3 .84 .5 .6 " +
    ".56C.46 .6 .28 .56 .13 .38Z",
  "♦": "M0-1C.22-.55 .5-.2 .8 0C.5 .2 .22 .55 0 1C-.22 .55-.5 .2-.8 0C-.5-.2-.22-.55 0-1Z",
};

export const SUIT_NAMES: Record<Suit, "spade" | "heart" | "club" | "diamond"> = { "♠": "spade", "♥": "heart", "♣": "club", "♦": "diamond" };

const [LEFT, MIDDLE, RIGHT] = [35, 50, 65];

/** Where the pips of a card lie on a face of 100 × 140. */
export const PIPS: Record<string, readonly (readonly [number, number])[]> = {
  A: [[MIDDLE, 70]],
  "2": [[MIDDLE, 34], [MIDDLE, 106]],
  "3": [[MIDDLE, 34], [MIDDLE, 70], [MIDDLE, 106]],
  "4": [[LEFT, 34], [RIGHT, 34], [LEFT, 106], [RIGHT, 106]],
  "5": [[LEFT, 34], [RIGHT, 34], [MIDDLE, 70], [LEFT, 106], [RIGHT, 106]],
  "6": [[LEFT, 34], [RIGHT, 34], [LEFT, 70], [RIGHT, 70], [LEFT, 106], [RIGHT, 106]],
  "7": [[LEFT, 34], [RIGHT, 34], [MIDDLE, 52], [LEFT, 70], [RIGHT, 70], [LEFT, 106], [RIGHT, 106]],
  "8": [[LEFT, 34], [RIGHT, 34], [MIDDLE, 52], [LEFT, 70], [RIGHT, 70], [MIDDLE, 88], [LEFT, 106], [RIGHT, 106]],
  "9": [[LEFT, 32], [RIGHT, 32], [LEFT, 57], [RIGHT, 57], [MIDDLE, 70], [LEFT, 83], [RIGHT, 83], [LEFT, 108], [RIGHT, 108]],
  "10": [[LEFT, 32], [RIGHT, 32], [MIDDLE, 44], [LEFT, 57], [RIGHT, 57], [LEFT, 83], [RIGHT, 83], [MIDDLE, 96], [LEFT, 108], [RIGHT, 108]],
};

export function cardFace(text: string): CardFace {
  const suit = SUITS.find((one) => text.endsWith(one)) ?? null;
  const rank = suit ? text.slice(0, -1) : text;
  return { rank: rank === "T" ? "10" : rank, suit };
}

/** Return the name of a card: "ten of spades". */
export function cardName(text: string): string {
  const { rank, suit } = cardFace(text);
  if (!suit) return /^[rb]j$/i.test(text) ? words.common.cards.joker : text;
  return words.common.cards.of(words.common.cards.ranks[rank] ?? rank, words.common.cards.suits[suit] ?? suit);
}
