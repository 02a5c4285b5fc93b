/** A request to the server that is repeated whenever its body changes; answers to earlier bodies are discarded. */
import { untrack } from "svelte";
import { ask, findAnswer } from "./query_cache";
import { RefusalError } from "./http";

const DEBOUNCE_MS = 40;
const MOST_RETRIES = 3;

type Question = () => object | null;

export class Query<T> {
  /** The last answer; see `isFresh` for whether it belongs to the present question. */
  answer = $state.raw<T | null>(null);
  /** The error of the present question; null where there is none. */
  error = $state.raw<unknown>(null);
  /** Whether `answer` is to the present question. */
  isFresh = $state(false);
  /** Whether a request is under way. */
  isWaiting = $state(false);

  readonly #path: string;
  readonly #keeps: boolean;
  #body: string | null = null;
  #stop: AbortController | null = null;

  /**
   * Send what `question` returns to `path`, and nothing while it returns null, until the component is destroyed.
   * Without `question`, `ask` sets the body. With `keeps`, the last answer stays while there is no body.
   */
  constructor(path: string, question?: Question, { keeps = false }: { keeps?: boolean } = {}) {
    this.#path = path;
    this.#keeps = keeps;
    if (!question) return;
    $effect(() => {
      const body = textOf(question());
      untrack(() => this.#setBody(body));
    });
    $effect(() => () => this.#stop?.abort());
  }

  /** The answer to the present question; null until it arrives. */
  get fresh(): T | null {
    return this.isFresh ? this.answer : null;
  }

  /** Set the question; null asks nothing. */
  ask(question: object | null): void {
    this.#setBody(textOf(question));
  }

  /** Repeat a question that was refused. */
  retry = (): void => {
    if (!this.isWaiting) this.#begin();
  };

  #setBody(body: string | null): void {
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
    schedule(DEBOUNCE_MS, stop.signal, () => this.#send(body, stop.signal, 0));
  }

  async #send(body: string, signal: AbortSignal, tries: number): Promise<void> {
    try {
      const answer = await ask<T>(this.#path, body, signal);
      if (!signal.aborted) this.#settle(answer, null);
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof RefusalError && error.isTransient && tries < MOST_RETRIES) {
        schedule(1000 * (error.retryAfter ?? 2 ** tries), signal, () => this.#send(body, signal, tries + 1));
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

function schedule(milliseconds: number, signal: AbortSignal, act: () => void): void {
  const timer = setTimeout(act, milliseconds);
  signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
}
