/** A question that is asked anew whenever it changes; an answer to an older one is never taken for one to this. */
import { post, Refused } from "./http";

const PATIENCE = 40;
const MOST_RETRIES = 3;

export class Asked<T> {
  /** The last answer, which may be to the question before: see `isFresh`. */
  answer = $state.raw<T | null>(null);
  /** Why this question has no answer. */
  error = $state.raw<unknown>(null);
  isFresh = $state(false);
  #again = $state(0);

  /** Ask at `path` what `question` returns, nothing where that is null. Call it while a component is made. */
  constructor(path: string, question: () => object | null) {
    const body = $derived.by(() => {
      const asked = question();
      return asked === null ? null : JSON.stringify(asked);
    });
    $effect(() => {
      void this.#again;
      this.isFresh = false;
      this.error = null;
      if (body === null) {
        this.answer = null;
        return;
      }
      const stop = new AbortController();
      const sent = JSON.parse(body) as object;
      const timer = setTimeout(() => void this.#ask(path, sent, stop.signal, 0), PATIENCE);
      return () => {
        clearTimeout(timer);
        stop.abort();
      };
    });
  }

  retry(): void {
    this.#again += 1;
  }

  async #ask(path: string, body: object, signal: AbortSignal, tries: number): Promise<void> {
    try {
      const answer = await post<T>(path, body, { signal });
      if (signal.aborted) return;
      this.answer = answer;
      this.isFresh = true;
    } catch (error) {
      if (signal.aborted) return;
      const seconds = error instanceof Refused && error.isPassing && tries < MOST_RETRIES ? (error.retryAfter ?? 2 ** tries) : null;
      if (seconds === null) {
        this.answer = null;
        this.error = error;
      } else {
        const timer = setTimeout(() => void this.#ask(path, body, signal, tries + 1), seconds * 1000);
        signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
      }
    }
  }
}
