import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { settings } from "../../settings.svelte";
import { CARDS_DRAWN, delayAt } from "./reveal_steps";
import { Reveal } from "./reveal.svelte";

describe("a draw that is turned over", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    settings.motion = "full";
  });
  afterEach(() => vi.useRealTimers());

  it("goes on step by step, and then shows everything", () => {
    const reveal = new Reveal(() => 100);
    reveal.begin("a", 0, 3);

    expect(reveal.visibleSteps("a")).toBe(0);
    vi.advanceTimersByTime(200);
    expect(reveal.visibleSteps("a")).toBe(2);
    expect(reveal.visibleSteps("b")).toBe(Infinity);
    vi.advanceTimersByTime(100);
    expect([reveal.isRunning, reveal.visibleSteps("a")]).toEqual([false, Infinity]);
  });

  it("can be skipped", () => {
    const reveal = new Reveal(() => 100);
    reveal.begin("a", 0, 9);
    reveal.finish();
    vi.advanceTimersByTime(1000);

    expect(reveal.isRunning).toBe(false);
  });

  it("goes further where more is drawn meanwhile", () => {
    const reveal = new Reveal(() => 100);
    reveal.begin("a", 0, 2);
    vi.advanceTimersByTime(100);
    reveal.begin("a", 0, 4);
    vi.advanceTimersByTime(100);

    expect(reveal.visibleSteps("a")).toBe(2);
  });

  it("is there at once where nothing shall move", () => {
    settings.motion = "reduced";
    const reveal = new Reveal(() => 100);
    reveal.begin("a", 0, 5);

    expect([reveal.isRunning, reveal.visibleSteps("a")]).toEqual([false, Infinity]);
  });

  it("waits longer for the ledger than for a card", () => {
    expect(delayAt(CARDS_DRAWN + 1)).toBeGreaterThan(delayAt(1));
    expect(delayAt(7, 7)).toBe(delayAt(0));
  });
});
