/** Formats how long ago something was. */
import { words } from "../text";

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1_000],
];
const LEAST = 5_000;

export function formatAgo(then: number, now: number): string {
  const past = Math.max(0, now - then);
  if (past < LEAST) return words.lobby.matches.now;
  const [unit, length] = STEPS.find(([, one]) => past >= one)!;
  return new Intl.RelativeTimeFormat(words.lobby.matches.locale, { numeric: "auto" }).format(-Math.floor(past / length), unit);
}
