/** A score as lines with a running sum, in the order of display. */
import type { Schema } from "../../api/types";
import { hundredths } from "./points";

export type Score = Schema<"destiny.Score">;
export type SuitName = "spades" | "hearts" | "clubs" | "diamonds";

export const SUIT_ORDER: readonly SuitName[] = ["spades", "hearts", "clubs", "diamonds"];

export type Line =
  | { kind: "base"; key: string; points: bigint; sum: bigint; rank: string; own: bigint; cards: bigint }
  | { kind: "suit"; key: string; points: bigint; sum: bigint; suit: SuitName; count: number; bonus: bigint }
  | { kind: "source"; key: string; points: bigint; sum: bigint; source: string }
  | { kind: "floor"; key: string; points: bigint; sum: bigint };

type WithoutSum<T> = T extends unknown ? Omit<T, "sum"> : never;

/** Return the lines of a score with their running sum, in hundredths; the last sum is the total. */
export function scoreLines(score: Score, handScores: Record<string, number | string>): Line[] {
  const base = hundredths(score.base);
  /** Five of a kind is no hand of the table, and its cards add nothing. */
  const own = hundredths(handScores[score.rank] ?? score.base);
  const added: WithoutSum<Line>[] = [{ kind: "base", key: "base", points: base, rank: score.rank, own, cards: base - own }];
  for (const suit of SUIT_ORDER) {
    const count = score.suit_counts[suit] ?? 0;
    const bonus = hundredths(score.bonuses[suit] ?? 0);
    if (count) added.push({ kind: "suit", key: suit, points: BigInt(count) * bonus, suit, count, bonus });
  }
  score.sources.forEach((modifier, index) =>
    added.push({ kind: "source", key: `source ${index}`, points: hundredths(modifier.points), source: modifier.source }),
  );
  let sum = 0n;
  const lines = added.map((line) => ({ ...line, sum: (sum += line.points) }) as Line);
  const total = hundredths(score.total);
  if (total !== sum) lines.push({ kind: "floor", key: "floor", points: total - sum, sum: total });
  return lines;
}

/** Return the position of a value on a meter, from 0 to 1; the meter ends 10 % beyond total and threshold. */
export function onMeter(value: bigint, total: bigint, threshold: bigint): number {
  const most = ((total > threshold ? total : threshold) * 110n) / 100n;
  if (most <= 0n || value <= 0n) return 0;
  return Math.min(1, Number((value * 10_000n) / most) / 10_000);
}
