/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";

export function describe(heard: HeardEvent<"duel">, _table: Table<"duel">): string | null {
  return heard.event.event;
}
