/** What the offers of a shop are worth: of all of them, or of fewer where they take too long to count. */
import { Query } from "../../api/query.svelte";
import { Refused } from "../../api/http";
import type { Table } from "../../match/table.svelte";
import { shopQuestion, type ShopReply, type OfferPart } from "./questions";

const PARTS: OfferPart[] = ["all", "without_dice", "next_round"];

export class OfferValues {
  #query: Query<ShopReply>[];

  /** Ask about the shop of a table, while there is one. Call it while a component is made. */
  constructor(tableNow: () => Table<"dice"> | null) {
    const question = (part: OfferPart): object | null => {
      const table = tableNow();
      return table?.view ? shopQuestion(table.view, table.rules, part) : null;
    };
    this.#query = PARTS.map((part, index) => new Query("/dice/offers", () => (this.#level >= index ? question(part) : null)));
  }

  /** How often less was asked about, because more was too much. */
  get #level(): number {
    const level = this.#query?.findIndex((one) => !isTooMuch(one)) ?? 0;
    return level < 0 ? PARTS.length - 1 : level;
  }

  /** What is answered, of which part of the shop. */
  get part(): OfferPart {
    return PARTS[this.#level]!;
  }

  /** The question that is answered, or is not. */
  get query(): Query<ShopReply> {
    return this.#query[this.#level]!;
  }
}

function isTooMuch(query: Query<ShopReply>): boolean {
  return query.error instanceof Refused && query.error.code === "too_many_positions";
}
