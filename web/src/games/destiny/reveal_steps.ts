/** The steps in which a draw is revealed: cards, lines of the score, result. */
import type { Line } from "./score_breakdown";

export const CARDS_DRAWN = 5;
const [SHUFFLE, CARD, LINE] = [450, 360, 420];

/** Return the number of steps of a draw: its cards, its lines, and the result. */
export const stepsOf = (lines: readonly Line[]): number => CARDS_DRAWN + lines.length + 1;

/** Return the delay at a step of a draw that began at step `start`, in milliseconds. */
export function delayAt(step: number, start = 0): number {
  if (step === start) return SHUFFLE;
  return step - start <= CARDS_DRAWN ? CARD : LINE;
}
