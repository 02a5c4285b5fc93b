/** What the offers of a shop are worth: of all of them, or of fewer where they take too long to count. */
import { Asked } from "../../api/asked.svelte";
import { Refused } from "../../api/http";
import type { Table } from "../../match/table.svelte";
import { shopQuestion, type ShopReply, type ValuedPart } from "./asking";

const PARTS: ValuedPart[] = ["all", "without_dice", "next_round"];

export class Valued {
  #asked: Asked<ShopReply>[];

  /** Ask about the shop of a table, while there is one. Call it while a component is made. */
  constructor(tableNow: () => Table<"dice"> | null) {
    const question = (part: ValuedPart): object | null => {
      const table = tableNow();
      return table?.view ? shopQuestion(table.view, table.rules, part) : null;
    };
    this.#asked = PARTS.map((part, index) => new Asked("/dice/offers", () => (this.#level >= index ? question(part) : null)));
  }

  /** How often less was asked about, because more was too much. */
  get #level(): number {
    const level = this.#asked?.findIndex((one) => !isTooMuch(one)) ?? 0;
    return level < 0 ? PARTS.length - 1 : level;
  }

  /** What is answered, of which part of the shop. */
  get part(): ValuedPart {
    return PARTS[this.#level]!;
  }

  /** The question that is answered, or is not. */
  get asked(): Asked<ShopReply> {
    return this.#asked[this.#level]!;
  }
}

function isTooMuch(asked: Asked<ShopReply>): boolean {
  return asked.error instanceof Refused && asked.error.code === "too_many_positions";
}
