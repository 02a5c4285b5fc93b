/** The last draw and the results of a run, from its events. */
import type { Events, Schema } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";
import type { RunView } from "./questions";
import { hundredths } from "./points";
import { words } from "./text";

export type Entry = LogEvent<"destiny">;
export type Event = Events["destiny"];
export type ResolvedEvent = Schema<"destiny.Resolved">;
/** The result of a crime or of a skill check. */
export type CheckResult = ResolvedEvent | Schema<"destiny.CheckResolved">;
export type DrawnEvent = Schema<"destiny.Drawn">;
/** A contest or a gang war of a run: every draw, the outlaw's gang, and the result. */
export type Encounter = {
  draws: { score: Schema<"destiny.Score">; member: number; npc: string | null }[];
  gang: string[];
  result: Schema<"destiny.ContestResolved"> | Schema<"destiny.WarResolved">;
};
/** A draw of a run: what it is for, the outlaw's own score, and what it decided. */
export type Draw = {
  key: string;
  title: string | null;
  score: Schema<"destiny.Score">;
  resolved: CheckResult | null;
  encounter: Encounter | null;
};

/** Return the last draw of a run, with all draws of the same action; null where there is none. */
export function lastDraw(log: readonly Entry[], outlaw: string | null = null): Draw | null {
  let last = log.length - 1;
  while (last >= 0 && log[last]!.event.event !== "drawn") last -= 1;
  if (last < 0) return null;
  let first = last;
  while (first > 0 && log[first - 1]!.event.event === "drawn") first -= 1;
  const draws = log.slice(first, last + 1).flatMap(({ event }) => (event.event === "drawn" ? [event] : []));
  const own = draws.find((event) => !event.npc) ?? draws[0]!;
  const begun = log[first - 1]?.event ?? null;
  const next = log[last + 1]?.event ?? null;
  const result = next?.event === "contest_resolved" || next?.event === "war_resolved" ? next : null;
  return {
    key: log[first]!.key,
    title: titleOf(begun) ?? titleOf(next),
    score: own.score,
    resolved: next?.event === "resolved" || next?.event === "check_resolved" ? next : null,
    encounter: result && {
      draws: draws.map((event) => ({ score: event.score, member: event.member ?? 0, npc: event.npc ?? null })),
      gang: begun?.event === "war_begun" ? begun.gang : [outlaw ?? ""],
      result,
    },
  };
}

/** Return the title of what an event begins or ends: a crime, a skill check, or the tier of NPCs. */
function titleOf(event: Event | null): string | null {
  switch (event?.event) {
    case "attempted":
    case "resolved":
      return words.crime(event.crime);
    case "check_begun":
    case "check_resolved":
      return words.checks.named(words.crime(event.check));
    case "challenged":
    case "contest_resolved":
      return words.contests.against(words.npc(event.npc));
    case "war_begun":
      return words.wars.opponents(event.gang.length, words.npc(event.npc));
    case "war_resolved":
      return words.wars.against(words.npc(event.npc));
    default:
      return null;
  }
}

/** Return the title of the action that a run waits for. */
export function pendingTitle(pending: RunView["pending"]): string | null {
  if (pending === null) return null;
  if (pending.type === "crime") return words.crime(pending.crime);
  if (pending.type === "check") return words.checks.named(words.crime(pending.check));
  return pending.type === "contest" ? words.contests.against(words.npc(pending.npc)) : words.wars.against(words.npc(pending.npc));
}

/** Whether the outlaw succeeded in what a draw was for; null where that is not decided. */
export function isWon(draw: Draw): boolean | null {
  const result = draw.resolved ?? draw.encounter?.result;
  return result ? hasWon(result) : null;
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

/** The results of one undertaking: a crime, a skill check, contests or wars with NPCs of a tier. */
export type TallyRow = { title: string; tries: number; succeeded: number; gold: bigint };
export type Tally = {
  attempts: number;
  degrees: Record<string, number>;
  rows: TallyRow[];
  best: { title: string; gold: bigint } | null;
};

/** Count attempts and gold by what was undertaken, and the degrees of crimes and checks; gold in hundredths. */
export function countResults(log: readonly Entry[]): Tally {
  const tally: Tally = { attempts: 0, degrees: {}, rows: [], best: null };
  for (const { event } of log) {
    if (event.event !== "resolved" && event.event !== "check_resolved" && event.event !== "contest_resolved" && event.event !== "war_resolved") continue;
    const [gold, title] = [hundredths(event.gold), titleOf(event) ?? ""];
    tally.attempts += 1;
    if (event.event === "resolved" || event.event === "check_resolved") tally.degrees[event.degree] = (tally.degrees[event.degree] ?? 0) + 1;
    let row = tally.rows.find((one) => one.title === title);
    if (!row) tally.rows.push((row = { title, tries: 0, succeeded: 0, gold: 0n }));
    row.tries += 1;
    row.succeeded += hasWon(event) ? 1 : 0;
    row.gold += gold;
    if (gold > (tally.best?.gold ?? 0n)) tally.best = { title, gold };
  }
  return tally;
}

type Result = CheckResult | Encounter["result"];

/** Whether a result is a success or a victory of the outlaw. */
function hasWon(event: Result): boolean {
  if (event.event === "contest_resolved") return event.winner === "attacker";
  return event.event === "war_resolved" ? event.winner === event.side : isSuccess(event.degree);
}

export function isSuccess(degree: string): boolean {
  return degree === "success" || degree === "critical_success";
}
