/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";

export function describe(heard: HeardEvent<"dice">, _table: Table<"dice">): string | null {
  return heard.event.event;
}
