import { afterEach, describe, expect, it, vi } from "vitest";
import { get, isLoadFailure, post, RefusalError, refusalOf, withRetries } from "./http";

afterEach(() => vi.unstubAllGlobals());

const stubFetch = (status: number, body: string, headers: Record<string, string> = {}) =>
  vi.stubGlobal("fetch", vi.fn(async () => new Response(body, { status, headers })));

describe("requests", () => {
  it("sends a token in a header, and JSON as JSON", async () => {
    stubFetch(200, "{}");
    await post("/matches/m1/act", { id: "c1" }, { token: "5e" });

    const [url, sent] = vi.mocked(fetch).mock.calls[0] as [string, RequestInit];
    expect(url).toBe("/api/v1/matches/m1/act");
    expect(sent.headers).toEqual({ "content-type": "application/json", authorization: "Bearer 5e" });
    expect(sent.body).toBe('{"id":"c1"}');
  });

  it("turns refusals into what people can read, and says whether to ask again", async () => {
    stubFetch(429, '{"error":{"code":"too_many_requests","sentence":"too many requests came from your address"}}', { "retry-after": "3" });
    const refused = await get("/games").catch((error: unknown) => error as RefusalError);

    expect(refused).toBeInstanceOf(RefusalError);
    expect(refused).toMatchObject({ code: "too_many_requests", status: 429, retryAfter: 3, isTransient: true });
  });

  it("says so where the answer is nothing of ours, or none came", async () => {
    stubFetch(502, "<html>");
    await expect(get("/games")).rejects.toThrow("status 502");
    vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("failed"))));
    await expect(get("/games")).rejects.toMatchObject({ code: "away", status: 0, isTransient: true });
  });

  it.each([
    "Unable to preload CSS for /assets/Shell.css",
    "Failed to fetch dynamically imported module: /assets/pig.js",
    "Importing a module script failed.",
  ])("says in words of ours that a part of the page did not come, where a browser says %j", (message) => {
    expect(isLoadFailure(new TypeError(message))).toBe(true);
    expect(refusalOf(new TypeError(message)).sentence).toContain("A part of this page could not be loaded");
  });
});

describe("a request that is sent again", () => {
  const busy = (status: number, retryAfter: number | null): RefusalError => new RefusalError({ code: "busy", sentence: "busy" }, status, retryAfter);

  /** Send a request that is refused so often before it succeeds, and return how often it was sent after each second. */
  async function sendRefused(refusal: RefusalError, times: number, options = {}): Promise<{ sent: number[]; end: unknown }> {
    vi.useFakeTimers();
    let count = 0;
    let end: unknown = "waiting";
    const sent: number[] = [];
    void withRetries(async () => {
      count += 1;
      if (count <= times) throw refusal;
      return "done";
    }, options).then(
      (value) => (end = value),
      (error: unknown) => (end = error),
    );
    for (let second = 0; second < 5; second += 1) {
      await vi.advanceTimersByTimeAsync(900);
      sent.push(count);
      await vi.advanceTimersByTimeAsync(100);
    }
    vi.useRealTimers();
    return { sent, end };
  }

  it("waits as long as it was told, and goes on", async () => {
    expect(await sendRefused(busy(503, 1), 2)).toEqual({ sent: [1, 2, 3, 3, 3], end: "done" });
  });

  it("gives up after three times", async () => {
    expect(await sendRefused(busy(429, 1), 9)).toMatchObject({ sent: [1, 2, 3, 4, 4], end: { code: "busy" } });
  });

  it("is repeated once where no time was said, and never where it may have been done and must not be twice", async () => {
    expect(await sendRefused(busy(0, null), 9)).toMatchObject({ sent: [2, 2, 2, 2, 2] });
    expect(await sendRefused(busy(503, 1), 9, { onlyUnread: true })).toMatchObject({ sent: [1, 1, 1, 1, 1] });
    expect(await sendRefused(busy(429, 1), 1, { onlyUnread: true })).toEqual({ sent: [1, 2, 2, 2, 2], end: "done" });
  });

  it("is no answer to a refusal that stays", async () => {
    expect(await sendRefused(busy(400, null), 9)).toMatchObject({ sent: [1, 1, 1, 1, 1], end: { status: 400 } });
  });
});
