/** A query without debounce: one request at a time, and the newest body next. For sliders. */
import { post, RefusalError } from "../api/http";

const MOST_CACHED = 60;
const RETRY_MS = 3000;

export class LatestQuery<Reply> {
  /** The newest reply; null before the first, and where the newest was refused. */
  reply = $state.raw<Reply | null>(null);
  error = $state.raw<unknown>(null);
  /** Whether a request is under way. */
  isWaiting = $state(false);

  readonly #path: string;
  readonly #replies = new Map<string, Reply>();
  #body: string | null = null;
  #busy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Set the body; null sends nothing. */
  ask(body: object | null): void {
    const text = body && JSON.stringify(body);
    if (text === this.#body) return;
    this.#body = text;
    clearTimeout(this.#timer);
    if (text === null) {
      this.reply = null;
      this.error = null;
      this.isWaiting = false;
      return;
    }
    const known = this.#replies.get(text);
    if (known !== undefined) this.#show(known, null);
    else if (!this.#busy) void this.#send();
  }

  /** Repeat a refused request. */
  retry(): void {
    if (this.#body !== null && !this.#busy) void this.#send();
  }

  async #send(): Promise<void> {
    this.#busy = true;
    this.isWaiting = true;
    while (this.#body !== null && !this.#replies.has(this.#body)) {
      const body: string = this.#body;
      try {
        const reply = await post<Reply>(this.#path, JSON.parse(body));
        this.#cache(body, reply);
        if (this.#body !== null) this.#show(reply, null);
      } catch (error) {
        if (body !== this.#body) continue;
        this.#show(null, error);
        if (error instanceof RefusalError && error.isTransient) this.#scheduleRetry(error.retryAfter);
        break;
      }
    }
    const known = this.#body === null ? undefined : this.#replies.get(this.#body);
    if (known !== undefined) this.#show(known, null);
    this.#busy = false;
    this.isWaiting = false;
  }

  #show(reply: Reply | null, error: unknown): void {
    this.reply = reply;
    this.error = error;
  }

  #cache(body: string, reply: Reply): void {
    if (this.#replies.size >= MOST_CACHED) this.#replies.delete(this.#replies.keys().next().value!);
    this.#replies.set(body, reply);
  }

  #scheduleRetry(seconds: number | null): void {
    this.#timer = setTimeout(() => this.retry(), seconds === null ? RETRY_MS : seconds * 1000);
  }

  /** Discard the body and the reply, and stop retries. */
  stop(): void {
    this.ask(null);
  }
}

/** Query for each of up to two settings until the component is destroyed; a null body sends nothing. */
export function queryEach<Reply>(path: string, bodies: () => (object | null)[]): [LatestQuery<Reply>, LatestQuery<Reply>] {
  const both: [LatestQuery<Reply>, LatestQuery<Reply>] = [new LatestQuery<Reply>(path), new LatestQuery<Reply>(path)];
  $effect(() => {
    const current = bodies();
    both.forEach((query, index) => query.ask(current[index] ?? null));
  });
  $effect(() => () => both.forEach((query) => query.stop()));
  return both;
}
