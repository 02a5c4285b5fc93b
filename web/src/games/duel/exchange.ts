/** Exchanges of blows, as the events of a duel report them. */
import type { Schema } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";
import type { View } from "./corners";

/** An exchange that is shown; `struck` once its blows have fallen. */
export type Exchange = { key: string; round: number; blows: Schema<"duel.Exchanged">["blows"]; struck: boolean };

/** Return the last exchange of a log, before its blows fall; null where there is none. */
export function lastExchange(log: readonly LogEvent<"duel">[]): Exchange | null {
  const entry = log.findLast(({ event }) => event.event === "exchanged");
  if (entry?.event.event !== "exchanged") return null;
  const { round, blows } = entry.event;
  return { key: entry.key, round, blows, struck: false };
}

/** Return the exchange that ended a duel, with its blows fallen; null where the duel goes on, or ended otherwise. */
export function finalExchange(view: View | null, log: readonly LogEvent<"duel">[]): Exchange | null {
  if (!view?.result || view.result.why === "flight") return null;
  const last = lastExchange(log);
  return last?.round === view.round ? { ...last, struck: true } : null;
}
