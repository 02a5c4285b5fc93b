/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";

export function describe(heard: HeardEvent<"fate">, _table: Table<"fate">): string | null {
  return heard.event.event;
}
