/** Questions to the server that are asked anew whenever they change; only the answer to the newest is ever shown as fresh. */
import { post, Refused } from "../../api/http";

const REMEMBERED = new Map<string, unknown>();
const UNDER_WAY = new Map<string, Promise<unknown>>();
const MOST_REMEMBERED = 30;
const MOST_RETRIES = 3;

/** Ask once what several parts of the table want to know; the answer depends on the question alone. */
function askOnce(path: string, body: string): Promise<unknown> {
  const key = `${path} ${body}`;
  const known = UNDER_WAY.get(key);
  if (known) return known;
  const asking = post(path, JSON.parse(body))
    .then((answer) => {
      REMEMBERED.set(key, answer);
      if (REMEMBERED.size > MOST_REMEMBERED) REMEMBERED.delete(REMEMBERED.keys().next().value!);
      return answer;
    })
    .finally(() => UNDER_WAY.delete(key));
  UNDER_WAY.set(key, asking);
  return asking;
}

export class Asked<T> {
  /** The last answer; it may be to the question before: see `isFresh`. */
  answer = $state.raw<T | null>(null);
  error = $state.raw<unknown>(null);
  isFresh = $state(false);
  #again = $state(0);

  /** Ask at `path` what `question` returns, nothing where that is null. Call it while a component is made. */
  constructor(path: string, question: () => object | null) {
    const body = $derived.by(() => {
      const asked = question();
      return asked === null ? null : JSON.stringify(asked);
    });
    $effect.pre(() => {
      void this.#again;
      this.error = null;
      const remembered = body === null ? null : REMEMBERED.get(`${path} ${body}`);
      this.isFresh = remembered !== undefined && remembered !== null;
      if (this.isFresh) this.answer = remembered as T;
      if (body === null || this.isFresh) return;
      const stop = new AbortController();
      void this.#ask(path, body, stop.signal, 0);
      return () => stop.abort();
    });
  }

  /** Ask the same once more. */
  retry = (): void => {
    this.#again += 1;
  };

  async #ask(path: string, body: string, signal: AbortSignal, tried: number): Promise<void> {
    try {
      const answer = (await askOnce(path, body)) as T;
      if (!signal.aborted) [this.answer, this.isFresh] = [answer, true];
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused && error.isPassing) || tried >= MOST_RETRIES) {
        this.error = error;
        return;
      }
      const wait = (error.retryAfter ?? 2 ** tried) * 1000;
      const timer = setTimeout(() => void this.#ask(path, body, signal, tried + 1), wait);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    }
  }
}
