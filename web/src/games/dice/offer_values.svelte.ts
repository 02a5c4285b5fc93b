/** The gains of a shop's offers: of all, or of fewer where all are too many to compute. */
import { Query } from "../../api/query.svelte";
import { RefusalError } from "../../api/http";
import type { Table } from "../../match/table.svelte";
import { shopQuestion, type ShopReply, type OfferPart } from "./questions";

const PARTS: OfferPart[] = ["all", "without_dice", "next_round"];

export class OfferValues {
  #query: Query<ShopReply>[];

  /** Query the shop of a table; call it during the initialisation of a component. */
  constructor(tableNow: () => Table<"dice"> | null) {
    const question = (part: OfferPart): object | null => {
      const table = tableNow();
      return table?.view ? shopQuestion(table.view, table.rules, part) : null;
    };
    this.#query = PARTS.map((part, index) => new Query("/dice/offers", () => (this.#level >= index ? question(part) : null)));
  }

  /** The index of the first part that the server can compute. */
  get #level(): number {
    const level = this.#query?.findIndex((one) => !isTooMuch(one)) ?? 0;
    return level < 0 ? PARTS.length - 1 : level;
  }

  /** The part of the shop that `query` is about. */
  get part(): OfferPart {
    return PARTS[this.#level]!;
  }

  /** The query of that part. */
  get query(): Query<ShopReply> {
    return this.#query[this.#level]!;
  }
}

function isTooMuch(query: Query<ShopReply>): boolean {
  return query.error instanceof RefusalError && query.error.code === "too_many_positions";
}
