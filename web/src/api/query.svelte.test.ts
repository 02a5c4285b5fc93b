// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Query } from "./query.svelte";

const respond = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Ask what `question` holds, as a component would. */
function makeQuery(first: object | null, options: { keeps?: boolean } = {}) {
  const question = $state<{ now: object | null }>({ now: first });
  let query!: Query<{ said: number }>;
  const stop = $effect.root(() => {
    query = new Query("/odds", () => question.now, options);
  });
  flushSync();
  const change = (next: object | null): void => {
    question.now = next;
    flushSync();
  };
  return { query, change, stop };
}

it("answers the newest question, and says when the answer is to an older one", async () => {
  const fetched = vi.fn((_url: string, init: RequestInit) => Promise.resolve(respond(200, { said: JSON.parse(String(init.body)).n })));
  vi.stubGlobal("fetch", fetched);
  const { query, change, stop } = makeQuery({ n: 101 });
  await vi.advanceTimersByTimeAsync(100);
  expect([query.answer, query.isFresh]).toEqual([{ said: 101 }, true]);

  change({ n: 102 });
  expect([query.answer, query.isFresh]).toEqual([{ said: 101 }, false]);
  await vi.advanceTimersByTimeAsync(100);
  expect([query.answer, query.isFresh]).toEqual([{ said: 102 }, true]);

  change(null);
  expect([query.answer, query.isFresh, query.isWaiting]).toEqual([null, false, false]);
  stop();
});

it("knows at once what was asked before", async () => {
  const fetched = vi.fn((_url: string, init: RequestInit) => Promise.resolve(respond(200, { said: JSON.parse(String(init.body)).n })));
  vi.stubGlobal("fetch", fetched);
  const { query, change, stop } = makeQuery({ n: 111 });
  await vi.advanceTimersByTimeAsync(100);
  change({ n: 112 });
  await vi.advanceTimersByTimeAsync(100);

  change({ n: 111 });
  expect([query.fresh, fetched.mock.calls.length]).toEqual([{ said: 111 }, 2]);
  stop();
});

it("keeps its last answer while nothing is asked, where that is wanted", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(respond(200, { said: 121 })));
  const { query, change, stop } = makeQuery({ n: 121 }, { keeps: true });
  await vi.advanceTimersByTimeAsync(100);

  change(null);
  expect([query.answer, query.fresh]).toEqual([{ said: 121 }, null]);
  stop();
});

it("asks what it is told to, without a question of its own", async () => {
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => Promise.resolve(respond(200, { said: JSON.parse(String(init.body)).n })));
  const query = new Query<{ said: number }>("/odds");
  query.ask({ n: 131 });
  expect([query.fresh, query.isWaiting]).toEqual([null, true]);
  await vi.advanceTimersByTimeAsync(100);

  expect([query.fresh, query.isWaiting]).toEqual([{ said: 131 }, false]);
});

it("says why there is no answer, and asks again when told to", async () => {
  let refuses = true;
  vi.stubGlobal("fetch", () =>
    Promise.resolve(refuses ? respond(400, { error: { code: "too_many_positions", sentence: "too many" } }) : respond(200, { said: 1 })),
  );
  const { query, stop } = makeQuery({ n: 201 });
  await vi.advanceTimersByTimeAsync(100);
  expect(String(query.error)).toContain("too many");

  refuses = false;
  query.retry();
  flushSync();
  await vi.advanceTimersByTimeAsync(100);
  expect([query.answer, query.error]).toEqual([{ said: 1 }, null]);
  stop();
});

it("tries by itself what may pass, as late as the server says", async () => {
  let tries = 0;
  vi.stubGlobal("fetch", () =>
    Promise.resolve(
      (tries += 1) < 3
        ? respond(429, { error: { code: "too_many_requests", sentence: "slow down" } }, { "retry-after": "2" })
        : respond(200, { said: 3 }),
    ),
  );
  const { query, stop } = makeQuery({ n: 301 });
  await vi.advanceTimersByTimeAsync(1000);
  expect([tries, query.error]).toEqual([1, null]);
  await vi.advanceTimersByTimeAsync(4000);
  expect([tries, query.answer]).toEqual([3, { said: 3 }]);
  stop();
});

it("gives up a question that nobody waits for any more", async () => {
  const signals: AbortSignal[] = [];
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    signals.push(init.signal!);
    return new Promise(() => undefined);
  });
  const one = makeQuery({ n: 401 });
  const other = makeQuery({ n: 401 });
  await vi.advanceTimersByTimeAsync(100);
  one.stop();
  expect(signals.map((signal) => signal.aborted)).toEqual([false]);
  other.stop();
  expect(signals.map((signal) => signal.aborted)).toEqual([true]);
});
