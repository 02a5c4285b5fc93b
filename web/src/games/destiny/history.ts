/** The last draw and the results of a run, from its events. */
import type { Events, Schema } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";
import { hundredths } from "./points";

export type Entry = LogEvent<"destiny">;
export type Event = Events["destiny"];
export type ResolvedEvent = Schema<"destiny.Resolved">;
/** A draw of a run with the crime that it decided. */
export type Draw = { key: string; score: Schema<"destiny.Score">; resolved: ResolvedEvent | null };

/** Return the last draw of a run; null where there is none. */
export function lastDraw(log: readonly Entry[]): Draw | null {
  for (let index = log.length - 1; index >= 0; index -= 1) {
    const { event, key } = log[index]!;
    if (event.event !== "drawn") continue;
    const next = log[index + 1]?.event;
    return { key, score: event.score, resolved: next?.event === "resolved" ? next : null };
  }
  return null;
}

/** Return the score that a seat of a contest drew; null where it is not in the log. */
export function scoreOf(seat: number, log: readonly Entry[]): Schema<"destiny.Score"> | null {
  for (const { event } of log) if (event.event === "drawn" && event.seat === seat) return event.score;
  return null;
}

/** Return the decision of a contest; null where it is not in the log. */
export function decisionIn(log: readonly Entry[]): Schema<"destiny.Won"> | null {
  for (const { event } of log) if (event.event === "won") return event;
  return null;
}

/** Return the score that a member of a gang drew; null where it is not in the log. */
export function memberScore(seat: number, member: number, log: readonly Entry[]): Schema<"destiny.Score"> | null {
  for (const { event } of log) if (event.event === "drawn" && event.seat === seat && event.member === member) return event.score;
  return null;
}

/** Return the decision of a gang war; null where it is not in the log. */
export function warIn(log: readonly Entry[]): Schema<"destiny.WarWon"> | null {
  for (const { event } of log) if (event.event === "war_won") return event;
  return null;
}

export type CrimeTally = { crime: string; tries: number; succeeded: number; gold: bigint };
export type Tally = {
  attempts: number;
  degrees: Record<string, number>;
  crimes: CrimeTally[];
  best: { crime: string; gold: bigint } | null;
};

/** Count attempts, degrees and gold by crime; gold in hundredths. */
export function countResults(log: readonly Entry[]): Tally {
  const tally: Tally = { attempts: 0, degrees: {}, crimes: [], best: null };
  for (const { event } of log) {
    if (event.event !== "resolved") continue;
    const gold = hundredths(event.gold);
    tally.attempts += 1;
    tally.degrees[event.degree] = (tally.degrees[event.degree] ?? 0) + 1;
    let row = tally.crimes.find((one) => one.crime === event.crime);
    if (!row) tally.crimes.push((row = { crime: event.crime, tries: 0, succeeded: 0, gold: 0n }));
    row.tries += 1;
    row.succeeded += isSuccess(event.degree) ? 1 : 0;
    row.gold += gold;
    if (gold > (tally.best?.gold ?? 0n)) tally.best = { crime: event.crime, gold };
  }
  return tally;
}

export function isSuccess(degree: string): boolean {
  return degree === "success" || degree === "critical_success";
}
