/** Names of players on the default board. */
import type { Table } from "../match/table.svelte";
import { words } from "../text";

/** Return the name of the player of a seat: with the number of the seat where others have the same name, and that alone where it is free. */
export function playerName(table: Pick<Table<any>, "name" | "frame">, seat: number): string {
  const name = table.name(seat);
  if (!name) return words.common.table.seat(seat);
  const isShared = table.frame.chairs.filter((chair) => chair.name === table.frame.chairs[seat]?.name).length > 1;
  return isShared ? `${name} ${seat + 1}` : name;
}
