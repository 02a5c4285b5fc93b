/** Cache of replies by path and body: equal requests are sent once, and the newest replies are kept. */
import { post } from "./http";

type CacheEntry = { request: Promise<unknown>; answer: unknown; isAnswered: boolean; waiting: number; stop: AbortController };

const MOST_ENTRIES = 60;
const ENTRIES = new Map<string, CacheEntry>();

const keyOf = (path: string, body: string): string => `${path} ${body}`;

/** Return the cached answer to a question; undefined where there is none. */
export function findAnswer<T>(path: string, body: string): T | undefined {
  const entry = ENTRIES.get(keyOf(path, body));
  return entry?.isAnswered ? (entry.answer as T) : undefined;
}

/** Request an answer, or join a request that is under way; it is aborted when every caller has aborted. */
export function ask<T>(path: string, body: string, signal: AbortSignal): Promise<T> {
  const key = keyOf(path, body);
  const entry = ENTRIES.get(key) ?? startRequest(key, path, body);
  ENTRIES.delete(key);
  ENTRIES.set(key, entry);
  if (!entry.isAnswered) {
    entry.waiting += 1;
    signal.addEventListener("abort", () => release(key, entry), { once: true });
  }
  return entry.request as Promise<T>;
}

function startRequest(key: string, path: string, body: string): CacheEntry {
  const stop = new AbortController();
  const request = post<unknown>(path, JSON.parse(body), { signal: stop.signal });
  const entry: CacheEntry = { request, answer: undefined, isAnswered: false, waiting: 0, stop };
  request.then(
    (answer) => {
      entry.answer = answer;
      entry.isAnswered = true;
      for (const [old, one] of [...ENTRIES].slice(0, -MOST_ENTRIES)) if (one.isAnswered) ENTRIES.delete(old);
    },
    () => removeEntry(key, entry),
  );
  return entry;
}

function release(key: string, entry: CacheEntry): void {
  entry.waiting -= 1;
  if (entry.waiting > 0 || entry.isAnswered) return;
  removeEntry(key, entry);
  entry.stop.abort();
}

/** Remove a failed or aborted request, unless another one has taken its place. */
function removeEntry(key: string, entry: CacheEntry): void {
  if (ENTRIES.get(key) === entry) ENTRIES.delete(key);
}
