/** How fast a draw is turned over: a card at a time, then the ledger line by line, then the verdict. */
import type { Line } from "./score_breakdown";

export const CARDS_DRAWN = 5;
const [SHUFFLE, CARD, LINE] = [450, 360, 420];

/** Return how many steps a draw has: its cards, its lines, and the last look. */
export const stepsOf = (lines: readonly Line[]): number => CARDS_DRAWN + lines.length + 1;

/** Return how long to wait at a step of a draw that began at step `start`. */
export function delayAt(step: number, start = 0): number {
  if (step === start) return SHUFFLE;
  return step - start <= CARDS_DRAWN ? CARD : LINE;
}
