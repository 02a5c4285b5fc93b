/** A question that is asked anew whenever it changes; an answer to an older one is never taken for one to this. */
import { untrack } from "svelte";
import { ask, findAnswer } from "./query_cache";
import { Refused } from "./http";

const PATIENCE = 40;
const MOST_RETRIES = 3;

type Question = () => object | null;

export class Query<T> {
  /** The last answer, which may be to the question before: see `isFresh`. */
  answer = $state.raw<T | null>(null);
  /** Why this question has no answer. */
  error = $state.raw<unknown>(null);
  /** Whether the answer is to what is asked now. */
  isFresh = $state(false);
  /** Whether an answer is on its way. */
  isWaiting = $state(false);

  readonly #path: string;
  readonly #keeps: boolean;
  #body: string | null = null;
  #stop: AbortController | null = null;

  /**
   * Ask at `path` what `question` returns, nothing where that is null, as long as the component lives that is being made.
   * Without a question, `ask` is told what to ask. With `keeps`, the last answer stays while nothing is asked.
   */
  constructor(path: string, question?: Question, { keeps = false }: { keeps?: boolean } = {}) {
    this.#path = path;
    this.#keeps = keeps;
    if (!question) return;
    $effect(() => {
      const body = textOf(question());
      untrack(() => this.#want(body));
    });
    $effect(() => () => this.#stop?.abort());
  }

  /** The answer to what is asked now; null until it is there. */
  get fresh(): T | null {
    return this.isFresh ? this.answer : null;
  }

  /** Ask this from now on; null asks nothing. */
  ask(question: object | null): void {
    this.#want(textOf(question));
  }

  /** Ask the same once more, after it was refused. */
  retry = (): void => {
    if (!this.isWaiting) this.#begin();
  };

  #want(body: string | null): void {
    if (body === this.#body) return;
    this.#body = body;
    this.#begin();
  }

  #begin(): void {
    this.#stop?.abort();
    const body = this.#body;
    const known = body === null ? undefined : findAnswer<T>(this.#path, body);
    this.error = null;
    this.isFresh = known !== undefined;
    this.isWaiting = body !== null && known === undefined;
    if (known !== undefined) this.answer = known;
    else if (body === null && !this.#keeps) this.answer = null;
    if (body === null || known !== undefined) return;
    const stop = new AbortController();
    this.#stop = stop;
    later(PATIENCE, stop.signal, () => this.#send(body, stop.signal, 0));
  }

  async #send(body: string, signal: AbortSignal, tries: number): Promise<void> {
    try {
      const answer = await ask<T>(this.#path, body, signal);
      if (!signal.aborted) this.#settle(answer, null);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof Refused && error.isPassing && tries < MOST_RETRIES) {
        later(1000 * (error.retryAfter ?? 2 ** tries), signal, () => this.#send(body, signal, tries + 1));
      } else this.#settle(null, error);
    }
  }

  #settle(answer: T | null, error: unknown): void {
    this.answer = answer;
    this.error = error;
    this.isFresh = error === null;
    this.isWaiting = false;
  }
}

function textOf(question: object | null): string | null {
  return question === null ? null : JSON.stringify(question);
}

function later(milliseconds: number, signal: AbortSignal, act: () => void): void {
  const timer = setTimeout(act, milliseconds);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}
