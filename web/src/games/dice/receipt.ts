/** What became of the round that was scored last, read from what was heard since. */
import type { Events } from "../../api/types";
import type { HeardEvent } from "../../match/table.svelte";

type Told<E extends Events["dice"]["event"]> = Extract<Events["dice"], { event: E }>;
export type Aftermath = { paid: Told<"paid"> | null; shattered: Told<"shattered"> | null; collected: Told<"collected"> | null };

/** Return what followed the last score; nothing where this page has not heard of one in this round. */
export function aftermathOf(heard: HeardEvent<"dice">[]): Aftermath | null {
  const found: Aftermath = { paid: null, shattered: null, collected: null };
  for (const { event } of heard.toReversed()) {
    if (event.event === "round_began") return null;
    if (event.event === "scored") return found;
    if (event.event === "paid") found.paid = event;
    if (event.event === "shattered") found.shattered = event;
    if (event.event === "collected") found.collected = event;
  }
  return null;
}

/** Return the key of the roll that each die last took part in. */
export function lastRolls(heard: HeardEvent<"dice">[], size: number): (string | null)[] {
  const rolls = heard.filter(({ event }) => event.event === "rolled");
  return Array.from({ length: size }, (_, place) => rolls.findLast(({ event }) => event.event === "rolled" && event.places.includes(place))?.key ?? null);
}
