/** What somebody looks at beside a table: the crime whose odds are shown, told by the board to the odds. */
import type { Table } from "../../match/table.svelte";

class Sight {
  crime = $state<string | null>(null);
}

const SIGHTS = new WeakMap<Table<"destiny">, Sight>();

export function sightOf(table: Table<"destiny">): Sight {
  let sight = SIGHTS.get(table);
  if (!sight) SIGHTS.set(table, (sight = new Sight()));
  return sight;
}
