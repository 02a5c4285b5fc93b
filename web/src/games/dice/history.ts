/** The last scored round and the last rolls, from the events of a run. */
import type { Events } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";

type EventOf<E extends Events["dice"]["event"]> = Extract<Events["dice"], { event: E }>;
export type RoundOutcome = { paid: EventOf<"paid"> | null; shattered: EventOf<"shattered"> | null; collected: EventOf<"collected"> | null };

/** Return the events after the last score; null where the log has none of this round. */
export function roundOutcome(log: LogEvent<"dice">[]): RoundOutcome | null {
  const found: RoundOutcome = { paid: null, shattered: null, collected: null };
  for (const { event } of log.toReversed()) {
    if (event.event === "round_began") return null;
    if (event.event === "scored") return found;
    if (event.event === "paid") found.paid = event;
    if (event.event === "shattered") found.shattered = event;
    if (event.event === "collected") found.collected = event;
  }
  return null;
}

/** Return the key of the roll that each die last took part in. */
export function lastRolls(log: LogEvent<"dice">[], size: number): (string | null)[] {
  const rolls = log.filter(({ event }) => event.event === "rolled");
  return Array.from(
    { length: size },
    (_, place) => rolls.findLast(({ event }) => event.event === "rolled" && event.places.includes(place))?.key ?? null,
  );
}
