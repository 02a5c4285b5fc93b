/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";

export function describe(heard: HeardEvent<"destiny">, _table: Table<"destiny">): string | null {
  return heard.event.event;
}
