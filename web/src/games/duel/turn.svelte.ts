/** Sends the actions of a round one after the other, each for the version that followed the one before. */
import type { Actions } from "../../api/types";
import type { Table } from "../../match/table.svelte";

type Action = Actions["duel"];

const MOST_TRIES = 6;
const VERSION_TIMEOUT_MS = 5_000;

export class TurnSender {
  isSending = $state(false);
  #onVersion: (() => void) | null = null;

  constructor(private readonly table: Table<"duel">) {}

  /**
   * Send what `next` picks from the legal actions, until an action other than a selection is applied, or `next` returns null.
   * An action that is refused as stale is picked again while the round lasts and `mayAct` holds.
   */
  async send(next: (actions: readonly Action[]) => Action | null, mayAct: () => boolean): Promise<void> {
    const round = this.table.view?.round;
    this.isSending = true;
    for (let tries = 0; tries < MOST_TRIES && mayAct() && this.table.view?.round === round; tries += 1) {
      const action = next(this.table.actions);
      if (!action) break;
      const version = this.table.version;
      const isDone = await this.table.act(action);
      if (!isDone && this.table.refusal?.code !== "stale") break;
      await this.#newerThan(version);
      if (isDone && !action.type.startsWith("select_")) break;
    }
    this.isSending = false;
  }

  /** Resume what waits for a newer version; call it when the version may have changed. */
  checkVersion(): void {
    this.#onVersion?.();
  }

  async #newerThan(version: number): Promise<void> {
    if (this.table.version > version) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, VERSION_TIMEOUT_MS);
      this.#onVersion = () => {
        if (this.table.version <= version) return;
        clearTimeout(timer);
        this.#onVersion = null;
        resolve();
      };
    });
  }
}
