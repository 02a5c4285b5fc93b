/** The resolved checks of a match, from its events. */
import type { Schema } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";
import type { Result } from "./deck";

export type ResolvedCheck = { key: string; player: number; check: string; result: Result };

/** Return the checks that were resolved, the latest first. */
export function resolvedChecks(log: readonly LogEvent<"fate">[], most: number): ResolvedCheck[] {
  const checks: ResolvedCheck[] = [];
  for (let at = log.length - 1; at >= 0 && checks.length < most; at -= 1) {
    const { key, event } = log[at]!;
    if (event.event === "resolved")
      checks.push({ key, player: event.player, check: event.check, result: (event as Schema<"fate.Resolved">).result });
  }
  return checks;
}
