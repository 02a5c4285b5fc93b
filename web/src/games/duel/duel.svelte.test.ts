// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { RefusalError } from "../../api/http";
import type { Actions, Frame } from "../../api/types";
import { Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { Duel } from "./duel.svelte";

const HAND = ["2♠", "A♠", "J♥", "J♣", "6♦"];
const POWER = { cards: [], rank: "high_card", values: 7, bonus: 0, gear: 0, skill: 0, total: 7 };
const RULES = { deck: "depleting", opponent_visible: true, rewards: {}, durability: { weapon_wear: 0, armor_wear: 0 } };

type FrameOptions = {
  version?: number;
  round?: number;
  hp?: [number, number];
  defense?: number[];
  committed?: boolean;
  selections?: boolean;
  result?: object | null;
  events?: object[];
  viewer?: number | null;
};

function frame(given: FrameOptions = {}): Frame {
  const {
    version = 5,
    round = 1,
    hp = [100, 80],
    defense = [],
    committed = false,
    selections = true,
    result = null,
    events = [],
    viewer = 0,
  } = given;
  const mine = { hp: hp[0], discard: [], dealt: true, committed, hand: HAND, attack: [], defense, selections: 0, plan: null, streak: 0 };
  const actions: Actions["duel"][] = [
    ...(selections ? [[], [1], [1, 2]].map((card_indices) => ({ type: "select_defense" as const, card_indices })) : []),
    { type: "execute_turn" },
    { type: "flee" },
  ];
  return {
    match: "m",
    version,
    game: "duel",
    viewer,
    chairs: [{ name: "Ann", bot: null, bank: 0, due_at: null }],
    deciding: result || committed ? [] : [0],
    view: { viewer, house: true, round, sides: [mine, { ...mine, hp: hp[1], committed: true, defense: [0] }], result },
    actions: viewer === null ? [] : actions,
    outcome: null,
    abandonment: null,
    events: [{ version, events }],
  } as unknown as Frame;
}

function makeExchange(round: number, hp: [number, number]): object {
  return {
    event: "exchanged",
    audience: "everyone",
    round,
    blows: [
      { attack: POWER, defense: POWER, dealt: 21, hp: hp[0] },
      { attack: POWER, defense: POWER, dealt: 9, hp: hp[1] },
    ],
  };
}

let stop: (() => void) | undefined;
let sent: { action: Actions["duel"]; version: number }[] = [];

/** Return a duel at a table whose server answers with these frames, or refuses. */
function duel(first: Frame, answers: (Frame | RefusalError)[] = []): Duel {
  const table = new Table("duel", RULES as never, first);
  table.connection = { state: "live", cameBack: false };
  table.connectTo({
    act: async (action, version) => {
      sent.push({ action: action as Actions["duel"], version });
      const answer = answers.shift();
      if (answer instanceof RefusalError) throw answer;
      // the answer comes before the frame, as it may from a server
      if (answer) setTimeout(() => table.show(answer), 5);
    },
    close: () => {},
  });
  const made = new Duel(table);
  stop = $effect.root(() => made.follow());
  flushSync();
  return made;
}

beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  vi.stubGlobal("fetch", () => new Promise(() => {}));
  settings.motion = "full";
});
afterEach(() => {
  stop?.();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function fight(made: Duel): Promise<void> {
  const done = made.fight();
  await vi.advanceTimersByTimeAsync(50);
  await done;
  flushSync();
}

describe("a fight", () => {
  it("selects what differs from what the server has, and fights with the version after that", async () => {
    const made = duel(frame(), [frame({ version: 6, defense: [1, 2] }), frame({ version: 9, round: 2 })]);
    made.toggle(2);
    made.toggle(1);
    await fight(made);

    expect(sent).toEqual([
      { action: { type: "select_defense", card_indices: [1, 2] }, version: 5 },
      { action: { type: "execute_turn" }, version: 6 },
    ]);
  });

  it("needs one action where the server has the split already", async () => {
    const made = duel(frame({ defense: [1] }), [frame({ version: 9, round: 2 })]);
    await fight(made);

    expect(made.draft).toEqual([]);
    expect(sent.map(({ action }) => action.type)).toEqual(["execute_turn"]);
  });

  it("is repeated where another seat was quicker, and never in another round", async () => {
    const stale = new RefusalError({ code: "stale", sentence: "" }, 409);
    const made = duel(frame(), [stale, frame({ version: 9, round: 2 })]);
    const done = made.fight();
    setTimeout(() => made.table.show(frame({ version: 6 })), 10);
    await vi.advanceTimersByTimeAsync(100);
    await done;

    expect(sent.map(({ version }) => version)).toEqual([5, 6]);
  });

  it("is not repeated where it was refused", async () => {
    const made = duel(frame(), [new RefusalError({ code: "too_late_to_flee", sentence: "no" }, 409)]);
    await fight(made);

    expect(sent.length).toBe(1);
    expect(made.isFighting).toBe(false);
    expect(made.table.refusal?.sentence).toBe("no");
  });

  it("goes on with the cards as they lie where no selection is left", async () => {
    const made = duel(frame({ defense: [1], selections: false }), [frame({ version: 9, round: 2 })]);
    made.toggle(0);
    expect(made.draft).toEqual([1]);
    await fight(made);

    expect(sent.map(({ action }) => action.type)).toEqual(["execute_turn"]);
  });

  it("is not for who looks on", async () => {
    const made = duel(frame({ viewer: null }));
    made.toggle(0);
    await fight(made);

    expect(sent).toEqual([]);
    expect(made.name(0)).toBe("Ann");
  });
});

describe("an exchange", () => {
  it("lets hit points fall when the blows do, and waits for who fights", async () => {
    const made = duel(frame());
    made.table.show(frame({ version: 9, round: 2, hp: [91, 59], events: [makeExchange(1, [91, 59])] }));
    flushSync();

    expect([made.exchange?.struck, made.hp]).toEqual([false, [100, 80]]);
    expect(made.canFight).toBe(false);
    await vi.advanceTimersByTimeAsync(700);
    expect([made.exchange?.struck, made.hp]).toEqual([true, [91, 59]]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(made.canFight).toBe(false);
    made.goOn();
    expect(made.canFight).toBe(true);
  });

  it("goes on by itself for who looks on", async () => {
    const made = duel(frame({ viewer: null }));
    made.table.show(frame({ viewer: null, version: 9, round: 2, hp: [91, 59], events: [makeExchange(1, [91, 59])] }));
    flushSync();
    await vi.advanceTimersByTimeAsync(5_000);

    expect([made.exchange, made.hp]).toEqual([null, [91, 59]]);
  });

  it("is over at once for who wants to go on", () => {
    const made = duel(frame());
    made.table.show(frame({ version: 9, round: 2, hp: [91, 59], events: [makeExchange(1, [91, 59])] }));
    flushSync();
    made.goOn();

    expect([made.exchange, made.hp]).toEqual([null, [91, 59]]);
  });

  it("does not move where movement is reduced", () => {
    settings.motion = "reduced";
    const made = duel(frame());
    made.table.show(frame({ version: 9, round: 2, hp: [91, 59], events: [makeExchange(1, [91, 59])] }));
    flushSync();

    expect([made.exchange?.struck, made.hp]).toEqual([true, [91, 59]]);
  });

  it("stays when it was the last, also for who comes later", async () => {
    const result = { why: "knock_out", winner: 0, score: 1, gold: 1, experience: 1 };
    const made = duel(frame({ version: 9, result, hp: [91, 0], events: [makeExchange(1, [91, 0])] }));
    await vi.advanceTimersByTimeAsync(5_000);

    expect([made.exchange?.round, made.exchange?.struck, made.hp]).toEqual([1, true, [91, 0]]);
  });
});

it("the draft is sent before a clock fights with the cards as they lie", async () => {
  const first = frame();
  first.chairs[0]!.due_at = Date.now() + 10_000;
  const made = duel(first);
  made.toggle(1);
  await vi.advanceTimersByTimeAsync(7_000);
  expect(sent).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);

  expect(sent).toEqual([{ action: { type: "select_defense", card_indices: [1] }, version: 5 }]);
});
