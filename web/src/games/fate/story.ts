/** What has been told of the checks so far: each call with its result. */
import type { Schema } from "../../api/types";
import type { HeardEvent } from "../../match/table.svelte";
import type { Result } from "./deck";

export type Told = { key: string; player: number; check: string; result: Result };

/** Return the checks that were resolved, the latest first. */
export function toldChecks(heard: readonly HeardEvent<"fate">[], most: number): Told[] {
  const told: Told[] = [];
  for (let at = heard.length - 1; at >= 0 && told.length < most; at -= 1) {
    const { key, event } = heard[at]!;
    if (event.event === "resolved") told.push({ key, player: event.player, check: event.check, result: (event as Schema<"fate.Resolved">).result });
  }
  return told;
}
