/** State that the board and the odds of a table share: created once per table, and collected with it. */
import type { GameName } from "../api/types";
import type { Table } from "./table.svelte";

export function memoizePerTable<G extends GameName, T>(make: (table: Table<G>) => T): (table: Table<G>) => T {
  const values = new WeakMap<Table<G>, T>();
  return (table) => {
    const known = values.get(table) ?? make(table);
    values.set(table, known);
    return known;
  };
}
