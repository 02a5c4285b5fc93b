/** The name of a seat: its player's name, with the seat where two players share a name. */
import type { Table } from "../../match/table.svelte";
import { words } from "./text";

export const NUMERALS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"];

export function seatName(table: Table<"fate">, seat: number): string {
  const name = table.name(seat);
  const isShared = table.frame.chairs.some((_, other) => other !== seat && table.name(other) === name);
  return isShared ? words.nameWithSeat(name, NUMERALS[seat - 1] ?? words.gameMaster) : name;
}
