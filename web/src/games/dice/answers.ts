/** Answers depend on their questions alone: the same question is asked once, and its answer is remembered for a while. */
import { post } from "../../api/http";

type Asking = { answer: Promise<unknown>; waiting: number; stop: AbortController; isAnswered: boolean };

const MOST_REMEMBERED = 40;
const ASKED = new Map<string, Asking>();

/** Ask a question; when the last who waits for the answer gives up, so does the request. */
export function ask<T>(path: string, body: string, signal: AbortSignal): Promise<T> {
  const key = `${path} ${body}`;
  const asking = ASKED.get(key) ?? begin(key, path, body);
  ASKED.delete(key);
  ASKED.set(key, asking);
  if (asking.isAnswered) return asking.answer as Promise<T>;
  asking.waiting += 1;
  return new Promise<T>((resolve, reject) => {
    signal.addEventListener("abort", () => giveUp(key, asking), { once: true });
    (asking.answer as Promise<T>).then(resolve, reject);
  });
}

function begin(key: string, path: string, body: string): Asking {
  const stop = new AbortController();
  const asking: Asking = { answer: post(path, JSON.parse(body), { signal: stop.signal }), waiting: 0, stop, isAnswered: false };
  asking.answer.then(
    () => {
      asking.isAnswered = true;
      for (const [old, one] of [...ASKED].slice(0, -MOST_REMEMBERED)) if (one.isAnswered) ASKED.delete(old);
    },
    () => ASKED.delete(key),
  );
  return asking;
}

function giveUp(key: string, asking: Asking): void {
  asking.waiting -= 1;
  if (asking.waiting > 0 || asking.isAnswered) return;
  ASKED.delete(key);
  asking.stop.abort();
}
