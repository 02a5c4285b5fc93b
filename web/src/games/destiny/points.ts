/** Formats points, gold and bonuses: exact hundredths, without trailing zeros. */
import { decimal, exact, type Exact } from "../../design/numbers";

const HUNDRED = 100n;

/** Return a number of points as hundredths. */
export function hundredths(points: string | number): bigint {
  const { over, under } = exact(points);
  return (over * HUNDRED) / under;
}

/** Format points: "40.37", "275", "−12.5". */
export function pointsOf(points: string | number | Exact, digits = 2): string {
  const text = decimal(typeof points === "object" ? points : exact(points), digits);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

export const ofHundredths = (amount: bigint): string => pointsOf({ over: amount, under: HUNDRED });

/** Format gold: "16", "27.50". */
export function goldOf(gold: string | number | Exact): string {
  const text = decimal(typeof gold === "object" ? gold : exact(gold), 2);
  return text.endsWith(".00") ? text.slice(0, -3) : text;
}

export const goldOfHundredths = (amount: bigint): string => goldOf({ over: amount, under: HUNDRED });

/** Format points with their sign: "+40.37", "−5", "0". */
export function formatSigned(points: string | number | Exact): string {
  const text = pointsOf(points);
  return text.startsWith("−") || text === "0" ? text : `+${text}`;
}

export const formatSignedHundredths = (amount: bigint): string => formatSigned({ over: amount, under: HUNDRED });

/** Format an exact number with at most two decimals; a small number is shown as "< 0.01". */
export function formatExact(given: string | number): string {
  const number = exact(given);
  if ((number.over * HUNDRED) % number.under === 0n) return pointsOf(number);
  const text = decimal(number, 2);
  return Number(text.replace("−", "-")) === 0 ? `${number.over < 0n ? "> −" : "< "}0.01` : text;
}
