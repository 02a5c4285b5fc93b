/** Points, gold and bonuses for show: exact hundredths, without zeros that say nothing. */
import { decimal, exact, type Exact } from "../../design/numbers";

const HUNDRED = 100n;

/** Return a number of points as hundredths. */
export function hundredths(points: string | number): bigint {
  const { over, under } = exact(points);
  return (over * HUNDRED) / under;
}

/** Return points as people read them: "40.37", "275", "−12.5". */
export function pointsOf(points: string | number | Exact, digits = 2): string {
  const text = decimal(typeof points === "object" ? points : exact(points), digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export const ofHundredths = (amount: bigint): string => pointsOf({ over: amount, under: HUNDRED });

/** Return points with their sign: "+40.37", "−5", "0". */
export function signed(points: string | number | Exact): string {
  const text = pointsOf(points);
  return text.startsWith("−") || text === "0" ? text : `+${text}`;
}

export const signedHundredths = (amount: bigint): string => signed({ over: amount, under: HUNDRED });

/** Return which of two exact numbers is larger, as for sorting. */
export function compared(one: string | number, other: string | number): number {
  const [a, b] = [exact(one), exact(other)];
  const [left, right] = [a.over * b.under, b.over * a.under];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Return an exact number with as many digits as it has, at most two; with both where it had to be rounded: "3.50" is not 3.5. */
export function exactly(given: string | number): string {
  const number = exact(given);
  return (number.over * HUNDRED) % number.under === 0n ? pointsOf(number) : decimal(number, 2);
}
