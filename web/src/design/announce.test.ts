import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { announcer } from "./announce.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("tells together what is said at the same moment, so that no line hides another", () => {
  announcer.say("Bob takes 2♦ with 2♥.");
  announcer.say("");
  announcer.say("Your turn");
  vi.runAllTimers();

  expect(announcer.line.trim()).toBe("Bob takes 2♦ with 2♥. Your turn");
});

it("tells the same line twice as two different lines", () => {
  announcer.say("Your turn");
  vi.runAllTimers();
  const before = announcer.line;
  announcer.say("Your turn");
  vi.runAllTimers();

  expect(announcer.line).not.toBe(before);
  expect(announcer.line.trim()).toBe(before.trim());
});
