/** The player and check that board and odds show, and the query about the present check. */
import type { Query } from "../../api/query.svelte";
import { memoizePerTable } from "../../match/per_table";
import type { Table } from "../../match/table.svelte";
import type { AnswersReply } from "./questions";

export class Selection {
  /** The chosen player and check; null for the default of the table. */
  player = $state<number | null>(null);
  check = $state<string | null>(null);
  /** Asked by the board, shown by both. */
  answersQuery = $state.raw<Query<AnswersReply> | null>(null);

  constructor(private readonly table: Table<"fate">) {}

  /** The player whose checks are shown: the chosen one, else the viewer, else the one on turn. */
  get shownPlayer(): number {
    const { view, viewer } = this.table;
    if (this.player !== null) return this.player;
    if (viewer) return viewer;
    return view ? view.on_turn : 1;
  }
}

export const selectionOf = memoizePerTable((table: Table<"fate">) => new Selection(table));
