/** What board and odds of one table share: whose check is looked at, and what the check at hand comes to. */
import type { Query } from "../../api/query.svelte";
import { memoizePerTable } from "../../match/per_table";
import type { Table } from "../../match/table.svelte";
import type { AnswersReply } from "./questions";

export class Selection {
  /** The player and the check that were picked; null where none was, and the table says. */
  player = $state<number | null>(null);
  check = $state<string | null>(null);
  /** Query by the board, shown by both. */
  answersQuery = $state.raw<Query<AnswersReply> | null>(null);

  constructor(private readonly table: Table<"fate">) {}

  /** Whose next check is looked at: who was picked, else the viewer, else who is on turn. */
  get aimedPlayer(): number {
    const { view, viewer } = this.table;
    if (this.player !== null) return this.player;
    if (viewer) return viewer;
    return view ? view.on_turn : 1;
  }
}

export const selectionOf = memoizePerTable((table: Table<"fate">) => new Selection(table));
