/** A query without debounce: one request at a time, and the newest body next. For sliders. */
import { post, RefusalError } from "../api/http";

const REMEMBERED = 60;
const AGAIN = 3000;

export class LatestQuery<Reply> {
  /** The newest reply; null before the first, and where the newest was refused. */
  reply = $state.raw<Reply | null>(null);
  refused = $state.raw<unknown>(null);
  /** Whether a request is under way. */
  waiting = $state(false);

  readonly #path: string;
  readonly #known = new Map<string, Reply>();
  #wanted: string | null = null;
  #busy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Set the body; null asks nothing. */
  ask(body: object | null): void {
    const text = body && JSON.stringify(body);
    if (text === this.#wanted) return;
    this.#wanted = text;
    clearTimeout(this.#timer);
    if (text === null) {
      this.reply = null;
      this.refused = null;
      this.waiting = false;
      return;
    }
    const known = this.#known.get(text);
    if (known !== undefined) this.#show(known, null);
    else if (!this.#busy) void this.#send();
  }

  /** Repeat a refused request. */
  again(): void {
    if (this.#wanted !== null && !this.#busy) void this.#send();
  }

  async #send(): Promise<void> {
    this.#busy = true;
    this.waiting = true;
    while (this.#wanted !== null && !this.#known.has(this.#wanted)) {
      const asked: string = this.#wanted;
      try {
        const reply = await post<Reply>(this.#path, JSON.parse(asked));
        this.#keep(asked, reply);
        if (this.#wanted !== null) this.#show(reply, null);
      } catch (error) {
        if (asked !== this.#wanted) continue;
        this.#show(null, error);
        if (error instanceof RefusalError && error.isTransient) this.#later(error.retryAfter);
        break;
      }
    }
    const wanted = this.#wanted === null ? undefined : this.#known.get(this.#wanted);
    if (wanted !== undefined) this.#show(wanted, null);
    this.#busy = false;
    this.waiting = false;
  }

  #show(reply: Reply | null, refused: unknown): void {
    this.reply = reply;
    this.refused = refused;
  }

  #keep(asked: string, reply: Reply): void {
    if (this.#known.size >= REMEMBERED) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(asked, reply);
  }

  #later(seconds: number | null): void {
    this.#timer = setTimeout(() => this.again(), seconds === null ? AGAIN : seconds * 1000);
  }

  /** Stop asking. */
  stop(): void {
    this.ask(null);
  }
}

/** Query for each of up to two settings, as long as the component lives; a null body asks nothing. */
export function queryEach<Reply>(path: string, bodies: () => (object | null)[]): [LatestQuery<Reply>, LatestQuery<Reply>] {
  const both: [LatestQuery<Reply>, LatestQuery<Reply>] = [new LatestQuery<Reply>(path), new LatestQuery<Reply>(path)];
  $effect(() => {
    const wanted = bodies();
    both.forEach((query, index) => query.ask(wanted[index] ?? null));
  });
  $effect(() => () => both.forEach((query) => query.stop()));
  return both;
}
