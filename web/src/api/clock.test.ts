import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { serverNow, setClock } from "./clock";

const NOON = Date.parse("Mon, 16 Nov 2026 12:00:00 GMT");

beforeEach(() => void vi.useFakeTimers({ now: NOON }));
afterEach(() => {
  setClock(new Date(Date.now()).toUTCString(), Date.now(), Date.now());
  vi.useRealTimers();
});

it("is the device's own time where both clocks agree to a second", () => {
  setClock("Mon, 16 Nov 2026 12:00:01 GMT", NOON, NOON);

  expect(serverNow()).toBe(NOON);
});

it("is the server's time where the device is wrong, and goes on", () => {
  setClock("Mon, 16 Nov 2026 12:05:00 GMT", NOON - 100, NOON + 100);
  vi.advanceTimersByTime(2_000);

  expect(serverNow()).toBe(NOON + 300_500 + 2_000);
});

it("stays as it was where an answer tells no time", () => {
  setClock(null, NOON, NOON);
  setClock("soon", NOON, NOON);

  expect(serverNow()).toBe(NOON);
});
