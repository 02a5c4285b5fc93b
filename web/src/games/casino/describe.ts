/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";

export function describe(heard: HeardEvent<"casino">, _table: Table<"casino">): string | null {
  return heard.event.event;
}
