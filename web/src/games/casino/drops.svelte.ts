/** What drops can mean, fetched from the server for everything that can be dragged. */
import { mayRetry, refusalOf } from "../../api/http";
import type { Refusal } from "../../api/types";
import { draggables, keyOf, type DraggedItem, type PossibleDrop, type Staging, type View } from "./draggables";
import { askDrops, type DropTable, type Rules } from "./questions";

const NONE: DropTable = new Map();

export class Drops {
  isLoading = $state(false);
  /** Why the server did not answer; null where it did. */
  refusal = $state.raw<Refusal | null>(null);
  canRetry = $state(false);
  #table = $state.raw<DropTable>(NONE);
  #loading: Promise<DropTable> = Promise.resolve(NONE);

  /** Return what a drop on a target can mean; undefined where it is no target. */
  find(thing: DraggedItem, target: string): PossibleDrop | undefined {
    return this.#table.get(keyOf(thing))?.get(target);
  }

  /** Resolve to the result of `find`, once the server has answered. */
  async findOnceLoaded(thing: DraggedItem, target: string): Promise<PossibleDrop | undefined> {
    return (await this.#loading).get(keyOf(thing))?.get(target);
  }

  /** Resolve once the server has answered. */
  async settle(): Promise<void> {
    await this.#loading;
  }

  clear(): void {
    this.#table = NONE;
  }

  load(rules: Rules, view: View, stack: Staging | null, signal: AbortSignal): void {
    this.isLoading = true;
    this.refusal = null;
    this.#loading = askDrops(rules, view, draggables(view, stack), stack, signal).then(
      (table) => {
        if (!signal.aborted) this.#finish(table);
        return table;
      },
      (error: unknown) => {
        if (signal.aborted) return NONE;
        this.#finish(NONE);
        this.refusal = withoutNumber(refusalOf(error));
        this.canRetry = mayRetry(error);
        return NONE;
      },
    );
  }

  #finish(table: DropTable): void {
    this.isLoading = false;
    this.#table = table;
  }
}

/** Return the refusal of a batch without the number of the question: all of them were asked together. */
function withoutNumber(refusal: Refusal): Refusal {
  return { ...refusal, sentence: refusal.sentence.replace(/^question \d+: /, "") };
}
