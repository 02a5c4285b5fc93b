import { afterEach, describe, expect, it, vi } from "vitest";
import { get, isUnloaded, post, Refused, refusalOf } from "./http";

afterEach(() => vi.unstubAllGlobals());

const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  vi.stubGlobal("fetch", vi.fn(async () => new Response(body, { status, headers })));

describe("requests", () => {
  it("sends a token in a header, and JSON as JSON", async () => {
    answering(200, "{}");
    await post("/matches/m1/act", { id: "c1" }, { token: "5e" });

    const [url, sent] = vi.mocked(fetch).mock.calls[0] as [string, RequestInit];
    expect(url).toBe("/api/v1/matches/m1/act");
    expect(sent.headers).toEqual({ "content-type": "application/json", authorization: "Bearer 5e" });
    expect(sent.body).toBe('{"id":"c1"}');
  });

  it("turns refusals into what people can read, and says whether to ask again", async () => {
    answering(429, '{"error":{"code":"too_many_requests","sentence":"too many requests came from your address"}}', { "retry-after": "3" });
    const refused = await get("/games").catch((error: unknown) => error as Refused);

    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ code: "too_many_requests", status: 429, retryAfter: 3, isPassing: true });
  });

  it("says so where the answer is nothing of ours, or none came", async () => {
    answering(502, "<html>");
    await expect(get("/games")).rejects.toThrow("status 502");
    vi.stubGlobal("fetch", vi.fn(async () => Promise.reject(new TypeError("failed"))));
    await expect(get("/games")).rejects.toMatchObject({ code: "away", status: 0, isPassing: true });
  });

  it.each([
    "Unable to preload CSS for /assets/Shell.css",
    "Failed to fetch dynamically imported module: /assets/pig.js",
    "Importing a module script failed.",
  ])("says in words of ours that a part of the page did not come, where a browser says %j", (message) => {
    expect(isUnloaded(new TypeError(message))).toBe(true);
    expect(refusalOf(new TypeError(message)).sentence).toContain("A part of this page could not be loaded");
  });
});
