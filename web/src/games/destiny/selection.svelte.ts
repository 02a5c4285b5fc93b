/** The crime whose odds are shown; set by the board, read by the odds. */
import { memoizePerTable } from "../../match/per_table";

class Selection {
  crime = $state<string | null>(null);
}

export const selectionOf = memoizePerTable<"destiny", Selection>(() => new Selection());
