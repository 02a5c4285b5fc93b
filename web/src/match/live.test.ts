// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Frame } from "../api/types";
import { Live } from "./live";
import type { Connection, ShownDraft } from "./table.svelte";

class FakeSocket {
  static readonly OPEN = 1;
  static all: FakeSocket[] = [];
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(readonly url: string) {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.lose(1000);
  }
  open(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  tell(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  lose(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

const frame = (version: number): Frame => ({ version, view: null, events: [] }) as unknown as Frame;
const last = (): FakeSocket => FakeSocket.all.at(-1) as FakeSocket;

const lives: Live[] = [];

function openLive(token: string | null = "5e") {
  const frames: number[] = [];
  const connections: Connection[] = [];
  const drafts: ShownDraft[] = [];
  const live = new Live("m1", token, 4, {
    frame: (shown) => frames.push(shown.version),
    draft: (shown) => drafts.push(shown),
    connection: (connection) => connections.push(connection),
  });
  lives.push(live);
  return { live, frames, drafts, connections };
}

beforeEach(() => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
});
afterEach(() => {
  for (const live of lives.splice(0)) live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a table fed from a socket", () => {
  it("says who it is and what it has seen, in the first frame and never in the address", () => {
    openLive();
    last().open();

    expect(last().url).not.toContain("5e");
    expect(last().sent).toEqual([{ since: 4, token: "5e" }]);
  });

  it("comes back by itself, asks for what it missed, and says both", () => {
    const { frames, connections } = openLive();
    last().open();
    last().tell(frame(5));
    last().lose(1006);
    expect(connections.at(-1)).toMatchObject({ state: "away" });
    vi.advanceTimersByTime(1_000);
    last().open();
    last().tell(frame(7));

    expect(FakeSocket.all).toHaveLength(2);
    expect(last().sent).toEqual([{ since: 5, token: "5e" }]);
    expect(frames).toEqual([5, 7]);
    expect(connections.at(-1)).toEqual({ state: "live", cameBack: true });
  });

  it("waits longer after each failure, but not for ever", () => {
    openLive();
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const [known, began] = [FakeSocket.all.length, Date.now()];
      last().lose(1006);
      while (FakeSocket.all.length === known) vi.advanceTimersByTime(50);
      waits.push(Date.now() - began);
    }

    expect(waits[0]).toBeLessThan(600);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_050);
    expect(waits.at(-1)).toBeGreaterThan(5_000);
  });

  it("shows a draft once, hears those of others, and ignores the answer", () => {
    const { live, drafts } = openLive();
    live.showDraft({ loose: [] }, 4);
    last().open();
    last().tell(frame(5));
    live.showDraft({ loose: ["4♠"] }, 5);
    const [, sent] = last().sent;
    last().tell({ id: sent?.id, answer: { answer: "applied", version: 5 } });
    last().tell({ version: 5, seat: 1, draft: null });

    expect(last().sent).toHaveLength(2);
    expect(sent).toMatchObject({ version: 5, draft: { loose: ["4♠"] } });
    expect(drafts).toEqual([{ version: 5, seat: 1, draft: null }]);
  });

  it("shows no draft of a spectator", () => {
    const { live } = openLive(null);
    last().open();
    last().tell(frame(5));
    live.showDraft({ loose: [] }, 5);

    expect(last().sent).toHaveLength(1);
  });

  it("repeats a choice that was not answered, under the same id", async () => {
    const { live } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.({ type: "reroll" }, 5);
    const [, sent] = last().sent;
    last().lose(1006);
    vi.advanceTimersByTime(1_000);
    last().open();
    last().tell(frame(6));
    const [, repeated] = last().sent;
    last().tell({ id: repeated?.id, answer: { answer: "duplicate", version: 6 } });

    expect(repeated).toEqual(sent);
    await expect(made).resolves.toBeUndefined();
  });

  it("refuses what the server refuses, with its sentence", async () => {
    const { live } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.("nonsense", 5);
    const id = last().sent[1]?.id;
    last().tell({ id, answer: { answer: "illegal", version: 5, refusal: { code: "unreadable", sentence: "no such move" } } });

    await expect(made).rejects.toThrow("no such move");
  });

  it("does not come back where it was told why it may not look", () => {
    const { connections } = openLive();
    last().open();
    last().tell({ error: { code: "bad_token", sentence: "the token proves no seat" } });
    last().lose(1008);
    vi.advanceTimersByTime(60_000);

    expect(FakeSocket.all).toHaveLength(1);
    expect(connections.at(-1)).toMatchObject({ state: "closed", refusal: { code: "bad_token" } });
  });

  it("tries again where it was refused for a reason that passes", () => {
    const { connections } = openLive();
    last().open();
    last().tell({ error: { code: "too_many_failures", sentence: "too many wrong tokens came from your address" } });
    last().lose(1008);
    expect(connections.at(-1)).toMatchObject({ state: "away" });
    vi.advanceTimersByTime(1_000);

    expect(FakeSocket.all).toHaveLength(2);
  });

  it("refuses a choice that cannot be kept now, though the refusal bears no id", async () => {
    const { live } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.({ type: "reroll" }, 5);
    last().tell({ error: { code: "store_away", sentence: "the store is away" } });

    await expect(made).rejects.toThrow("the store is away");
  });

  it("sends a choice again, under its id, after the time that the server asks for", async () => {
    const { live } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.({ type: "reroll" }, 5);
    last().tell({ error: { code: "busy", sentence: "try again" }, retry_after: 2 });
    vi.advanceTimersByTime(1_900);
    expect(last().sent).toHaveLength(2);
    vi.advanceTimersByTime(200);
    const [, first, second] = last().sent;
    last().tell({ id: second?.id, answer: { answer: "applied", version: 6 } });

    expect(second).toEqual(first);
    await expect(made).resolves.toBeUndefined();
  });

  it("gives a choice up that the server has no time for again and again, with its sentence", async () => {
    const { live } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.({ type: "reroll" }, 5);
    for (let tries = 0; tries < 4; tries += 1) {
      last().tell({ error: { code: "busy", sentence: "try again" }, retry_after: 1 });
      vi.advanceTimersByTime(1_100);
    }

    expect(last().sent).toHaveLength(5);
    await expect(made).rejects.toThrow("try again");
  });

  it("comes back no sooner than it was told to", () => {
    openLive();
    last().open();
    last().tell({ error: { code: "too_many_failures", sentence: "ask again in 6 s" }, retry_after: 6 });
    last().lose(1013);
    vi.advanceTimersByTime(5_900);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(200);

    expect(FakeSocket.all).toHaveLength(2);
  });

  it("takes a line for dead that does not answer a choice, and repeats it on another", async () => {
    const { live, connections } = openLive();
    last().open();
    last().tell(frame(5));
    const made = live.act?.({ type: "reroll" }, 5);
    const dead = last();
    vi.advanceTimersByTime(10_000);
    expect(connections.at(-1)).toMatchObject({ state: "away" });
    vi.advanceTimersByTime(1_000);
    last().open();
    last().tell(frame(5));
    const [, repeated] = last().sent;
    last().tell({ id: repeated?.id, answer: { answer: "applied", version: 6 } });

    expect(repeated).toEqual(dead.sent[1]);
    await expect(made).resolves.toBeUndefined();
  });

  it("makes sure without a word that a line still lives on which nothing is heard", () => {
    const { frames, connections } = openLive();
    last().open();
    last().tell(frame(5));
    const before = [...connections];
    vi.advanceTimersByTime(60_000);
    expect(connections).toEqual(before);
    last().open();
    last().tell(frame(6));

    expect(FakeSocket.all).toHaveLength(2);
    expect(FakeSocket.all[0]?.readyState).toBe(3);
    expect(frames).toEqual([5, 6]);
    expect(connections.at(-1)).toEqual({ state: "live", cameBack: false });
  });

  it("says at once that it is away when the device goes offline, and comes back with it", () => {
    const { connections } = openLive();
    last().open();
    last().tell(frame(5));
    dispatchEvent(new Event("offline"));
    expect(connections.at(-1)).toMatchObject({ state: "away" });
    dispatchEvent(new Event("online"));
    last().open();
    last().tell(frame(5));

    expect(connections.at(-1)).toEqual({ state: "live", cameBack: true });
  });

  it("does nothing any more once it is closed", () => {
    openLive().live.close();
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    vi.advanceTimersByTime(200_000);

    expect(FakeSocket.all).toHaveLength(1);
  });

  it("lets a spectator choose nothing", () => {
    expect(openLive(null).live.act).toBeNull();
  });
});
