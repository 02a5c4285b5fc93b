// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Events, Frame } from "../../api/types";
import { Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { Display } from "./display.svelte";
import type { Move, View } from "./draggables";

const VIEW: View = {
  viewer: 0, hand: ["4♦", "9♠"], hand_sizes: [2, 2], loose: ["4♠", "5♦"], builds: [],
  piles: [[], []], sweeps: [0, 0], stock_size: 40, turn: 1, deal: 1, last_capture: null,
};
const AFTER: View = { ...VIEW, hand_sizes: [2, 1], loose: [], piles: [[], ["4♠", "5♦", "9♦"]], sweeps: [0, 1], turn: 0, last_capture: 1 };

function makeMoved(seat: number, move: Partial<Move>, rest: object = {}): Events["casino"] {
  return {
    event: "moved",
    audience: "everyone",
    seat,
    move: { kind: "trail", hand: [], loose: [], builds: [], ...move },
    taken: [],
    marriage: false,
    sweep: false,
    ...rest,
  };
}
const TAKES = makeMoved(1, { kind: "capture", hand: ["9♦"], loose: ["4♠", "5♦"] }, { taken: ["4♠", "5♦", "9♦"], sweep: true });

function frame(version: number, view: View, events: Events["casino"][] = []): Frame {
  return {
    match: "m",
    version,
    game: "casino",
    viewer: 0,
    chairs: [],
    deciding: [0],
    view,
    actions: [],
    outcome: null,
    abandonment: null,
    events: events.length ? [{ version, events }] : [],
  } as unknown as Frame;
}

let table: Table<"casino">;
let display: Display;
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  settings.motion = "full";
  table = new Table("casino", {} as never, frame(3, VIEW));
  table.connection = { state: "live", cameBack: false };
  display = new Display(table);
  end = $effect.root(() => display.follow());
  flushSync();
});
afterEach(() => {
  end();
  vi.useRealTimers();
});
async function passTime(milliseconds: number): Promise<void> {
  flushSync();
  await vi.advanceTimersByTimeAsync(milliseconds);
  flushSync();
}

it("lets a capture of another be read before its cards are gone", async () => {
  table.show(frame(4, AFTER, [TAKES]));
  await passTime(10);
  expect(display.isBusy).toBe(true);
  expect(display.shownMove).toEqual({ seat: 1, played: ["9♦"], lit: ["4♠", "5♦"] });
  expect(display.view).toBe(VIEW);

  await passTime(2_000);
  expect(display.view).toBe(AFTER);
  expect(display.isBusy).toBe(false);
  expect(display.recent).toEqual([TAKES]);
});

it("celebrates a sweep for a moment", async () => {
  table.show(frame(4, AFTER, [TAKES]));
  await passTime(1_000);
  expect(display.sweeper).toBe(1);

  await passTime(2_000);
  expect(display.sweeper).toBeNull();
});

it("shows at once what comes without news, and is never taken back by what was being shown", async () => {
  const later = { ...AFTER, deal: 2 };
  table.show(frame(4, AFTER, [TAKES]));
  await passTime(10);
  table.show(frame(9, later));
  await passTime(3_000);

  expect(display.view).toBe(later);
  expect(display.isBusy).toBe(false);
});

it("shows frames one after the other when the second comes while the first is shown", async () => {
  const last = { ...AFTER, hand_sizes: [1, 1], hand: ["9♠"], loose: ["4♦"] };
  table.show(frame(4, AFTER, [TAKES]));
  await passTime(10);
  table.show(frame(5, last, [makeMoved(0, { hand: ["4♦"] })]));
  await passTime(5_000);

  expect(display.view).toBe(last);
  expect(display.recent).toHaveLength(1);
});

it("moves nothing where movement is reduced: the last view is there at once, and the moves are told", async () => {
  settings.motion = "reduced";
  table.show(frame(4, AFTER, [TAKES]));
  await passTime(0);

  expect(display.view).toBe(AFTER);
  expect(display.isBusy).toBe(false);
  expect(display.recent).toEqual([TAKES]);
});
