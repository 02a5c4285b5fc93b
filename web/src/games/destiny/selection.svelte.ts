/** What somebody looks at beside a table: the crime whose odds are shown, told by the board to the odds. */
import { memoizePerTable } from "../../match/per_table";

class Selection {
  crime = $state<string | null>(null);
}

export const selectionOf = memoizePerTable<"destiny", Selection>(() => new Selection());
