/** What the offers of a shop are worth: of all of them, or without the dice where those take too long to count. */
import { Refused } from "../../api/http";
import type { Table } from "../../match/table.svelte";
import { shopQuestion, type ShopReply } from "./asking";
import { Asked } from "./asked.svelte";

export class Valued {
  #all: Asked<ShopReply>;
  #fewer: Asked<ShopReply>;

  /** Ask about the shop of a table, while there is one. Call it while a component is made. */
  constructor(tableNow: () => Table<"dice"> | null) {
    const question = (dice: boolean): object | null => {
      const table = tableNow();
      return table?.view ? shopQuestion(table.view, table.rules, { dice }) : null;
    };
    this.#all = new Asked<ShopReply>("/dice/odds", () => question(true));
    this.#fewer = new Asked<ShopReply>("/dice/odds", () => (this.leavesOutDice ? question(false) : null));
  }

  /** Whether the dice on offer are left out. */
  get leavesOutDice(): boolean {
    return this.#all.error instanceof Refused && this.#all.error.code === "too_many_positions";
  }

  /** The question that is answered, or is not. */
  get asked(): Asked<ShopReply> {
    return this.leavesOutDice ? this.#fewer : this.#all;
  }
}
