/** A question that follows the table: asked again when what it is about changes; an answer that comes too late is not shown. */
import { untrack } from "svelte";
import { Refused } from "../../api/http";

const CALM = 90;

/** Say whether it may help to ask the same again. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof Refused) || error.isPassing;
}

export class Asked<T> {
  reply = $state.raw<T | null>(null);
  error = $state.raw<unknown>(null);
  /** Whether the reply that is shown is about something that is gone. */
  isOld = $state(false);
  #again = $state(0);

  /** Ask as long as the component lives; `question` returns null where there is nothing to ask. */
  constructor(question: () => ((signal: AbortSignal) => Promise<T>) | null) {
    $effect(() => {
      void this.#again;
      const ask = question();
      if (!ask) {
        untrack(() => this.#told(null, null));
        return;
      }
      const asking = new AbortController();
      untrack(() => (this.isOld = true));
      const timer = setTimeout(() => this.#ask(ask, asking.signal), CALM);
      return () => {
        clearTimeout(timer);
        asking.abort();
      };
    });
  }

  again(): void {
    this.#again += 1;
  }

  async #ask(ask: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<void> {
    try {
      const reply = await ask(signal);
      if (!signal.aborted) this.#told(reply, null);
    } catch (error) {
      if (!signal.aborted) this.#told(null, error);
    }
  }

  #told(reply: T | null, error: unknown): void {
    this.reply = reply;
    this.error = error;
    this.isOld = false;
  }
}
