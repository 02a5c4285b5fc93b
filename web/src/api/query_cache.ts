/** Cache of answers by question: equal questions share one request, and the newest answers are kept. */
import { post } from "./http";

type Asking = { coming: Promise<unknown>; answer: unknown; isAnswered: boolean; waiting: number; stop: AbortController };

const MOST_REMEMBERED = 60;
const ASKED = new Map<string, Asking>();

const keyOf = (path: string, body: string): string => `${path} ${body}`;

/** Return the cached answer to a question; undefined where there is none. */
export function findAnswer<T>(path: string, body: string): T | undefined {
  const asking = ASKED.get(keyOf(path, body));
  return asking?.isAnswered ? (asking.answer as T) : undefined;
}

/** Request an answer, or join a request that is under way; it is aborted when every caller has aborted. */
export function ask<T>(path: string, body: string, signal: AbortSignal): Promise<T> {
  const key = keyOf(path, body);
  const asking = ASKED.get(key) ?? begin(key, path, body);
  ASKED.delete(key);
  ASKED.set(key, asking);
  if (!asking.isAnswered) {
    asking.waiting += 1;
    signal.addEventListener("abort", () => giveUp(key, asking), { once: true });
  }
  return asking.coming as Promise<T>;
}

function begin(key: string, path: string, body: string): Asking {
  const stop = new AbortController();
  const coming = post<unknown>(path, JSON.parse(body), { signal: stop.signal });
  const asking: Asking = { coming, answer: undefined, isAnswered: false, waiting: 0, stop };
  coming.then(
    (answer) => {
      asking.answer = answer;
      asking.isAnswered = true;
      for (const [old, one] of [...ASKED].slice(0, -MOST_REMEMBERED)) if (one.isAnswered) ASKED.delete(old);
    },
    () => forget(key, asking),
  );
  return asking;
}

function giveUp(key: string, asking: Asking): void {
  asking.waiting -= 1;
  if (asking.waiting > 0 || asking.isAnswered) return;
  forget(key, asking);
  asking.stop.abort();
}

/** Remove a failed or aborted request, unless another one has taken its place. */
function forget(key: string, asking: Asking): void {
  if (ASKED.get(key) === asking) ASKED.delete(key);
}
