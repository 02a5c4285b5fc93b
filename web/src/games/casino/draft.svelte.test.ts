// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Frame } from "../../api/types";
import { Table } from "../../match/table.svelte";
import { Draft } from "./draft.svelte";
import { Display } from "./display.svelte";
import { handCard, looseCard, type Action, type PossibleDrop, type View } from "./draggables";

const VIEW: View = {
  viewer: 0, hand: ["4♦", "9♠"], hand_sizes: [2, 2], loose: ["4♠", "5♦"], builds: [],
  piles: [[], []], sweeps: [0, 0], stock_size: 40, turn: 0, deal: 1, last_capture: null,
};
const CAPTURE = { kind: "capture", hand: ["4♦"], loose: ["4♠"], builds: [] };
const BUILD = { kind: "build", hand: ["4♦"], loose: ["4♠"], builds: [] };
const STACK = { owner: 0, hand: [], loose: ["4♠", "5♦"], builds: [] };
const DIALOG = {
  title: "Sum",
  message: "9",
  combo: null,
  capture_values: [],
  options: [],
  unavailable: [],
  edit: action("edit", { staging: STACK }),
  cancel: action("cancel"),
};

function action(kind: Action["kind"], rest: object = {}): Action {
  return { kind, label: kind, priority: 1, move: null, staging: null, ...rest } as Action;
}
function drop(target: PossibleDrop["target"], actions: Action[], rest: Partial<PossibleDrop> = {}): PossibleDrop {
  return { target, actions, needs_choice: false, refusal: null, ...rest };
}
const LOOSE = { thing: "loose_card", card: "4♠" } as const;
const OPEN = { thing: "open_area" } as const;
const DROPS: Record<string, PossibleDrop[]> = {
  "4♦": [
    drop(LOOSE, [action("capture", { move: CAPTURE }), action("build", { move: BUILD })], { needs_choice: true }),
    drop(OPEN, [], { refusal: { code: "must_play", sentence: "it can capture", where: null, paragraph: "4.5" } }),
  ],
  "9♠": [drop(LOOSE, [action("capture", { move: CAPTURE })]), drop(OPEN, [])],
  "5♦": [drop(LOOSE, [action("staging", { staging: STACK })])],
};

let requests: { type: string }[];
let refuses: string | null;
let table: Table<"casino">;
let draft: Draft;
let display: Display;
let acted: unknown[];
let shown: unknown[];
let end: () => void;

function frame(rest: Partial<Frame> = {}): Frame {
  return {
    match: "m",
    version: 3,
    game: "casino",
    rules_id: "r",
    viewer: 0,
    chairs: [],
    deciding: [0],
    view: VIEW,
    actions: [],
    outcome: null,
    abandonment: null,
    events: [],
    ...rest,
  } as unknown as Frame;
}
async function settle(): Promise<void> {
  for (let round = 0; round < 8; round += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  flushSync();
}

beforeEach(async () => {
  requests = [];
  acted = [];
  shown = [];
  refuses = null;
  vi.stubGlobal("fetch", async (address: string, { body }: { body: string }) => {
    const question = JSON.parse(body);
    const kind = /casino\/(\w+)/.exec(address)?.[1] ?? "";
    requests.push({ type: kind, ...question });
    if (refuses === kind)
      return new Response(JSON.stringify({ refusal: { code: "too_many_moves", sentence: "so many cards" } }), { status: 400 });
    const answer =
      kind === "drops"
        ? { answers: question.each.dragged.map((thing: { card: string }) => ({ drops: DROPS[thing.card] ?? [] })) }
        : kind === "unstage"
          ? { stack: null }
          : DIALOG;
    return new Response(JSON.stringify(answer));
  });
  table = new Table("casino", {} as never, frame());
  table.connection = { state: "live", cameBack: false };
  table.connectTo({ act: async (move) => void acted.push(move), showDraft: (stack) => void shown.push(stack), close: () => undefined });
  display = new Display(table);
  draft = new Draft(table, display);
  end = $effect.root(() => {
    display.follow();
    draft.follow();
  });
  flushSync();
  await settle();
});
afterEach(() => {
  end();
  vi.unstubAllGlobals();
});

it("asks once for everything that can be dragged when the turn begins", () => {
  expect(requests.map((question) => question.type)).toEqual(["drops"]);
});

it("says what a drop of the picked thing can mean", () => {
  draft.press(handCard("4♦"));

  expect(draft.dropOn("loose:4♠")?.actions).toHaveLength(2);
  expect(draft.dropOn("loose:5♦")).toBeUndefined();
});

it("makes the one move that is meant", async () => {
  draft.press(handCard("9♠"));
  draft.press(looseCard("4♠"));
  await settle();

  expect(acted).toEqual([CAPTURE]);
});

it("asks where several things can be meant, and does what is chosen", async () => {
  await draft.drop(handCard("4♦"), "loose:4♠");
  expect(draft.choice?.actions.map((one) => one.kind)).toEqual(["capture", "build"]);

  await draft.choose(draft.choice!.actions[1]!);
  expect(acted).toEqual([BUILD]);
  expect(draft.choice).toBeNull();
});

it("says why a drop can mean nothing, and does nothing", async () => {
  await draft.drop(handCard("4♦"), "open");

  expect(draft.message).toBe("it can capture");
  expect(acted).toEqual([]);
});

it("puts back what is pressed twice, and what is dropped beside everything", async () => {
  draft.press(handCard("4♦"));
  draft.press(handCard("4♦"));
  expect(draft.picked).toBeNull();

  draft.pick(handCard("4♦"));
  await draft.drop(handCard("4♦"), null);
  expect(draft.picked).toBeNull();
});

it("gathers a stack, asks again with it, and opens its dialog", async () => {
  await draft.drop(looseCard("5♦"), "loose:4♠");
  await settle();
  expect(draft.stack).toEqual(STACK);
  expect(requests.at(-1)?.type).toBe("drops");

  await draft.openStack();
  expect(draft.choice?.title).toBe("Sum");
  expect(draft.choice?.actions.map((one) => one.kind)).toEqual(["edit", "cancel"]);
});

it("takes things back until there is no stack, or cancels it", async () => {
  draft.stack = STACK;
  await draft.takeBack(looseCard("5♦"));
  expect(draft.stack).toBeNull();

  draft.stack = STACK;
  await draft.choose(action("cancel"));
  expect(draft.stack).toBeNull();
});

it("has no stack any more when the turn has gone on", async () => {
  draft.stack = STACK;
  flushSync();
  table.show(frame({ version: 4, deciding: [1], view: { ...VIEW, turn: 1 } } as Partial<Frame>));
  flushSync();
  await settle();

  expect(draft.stack).toBeNull();
});

it("keeps a stack that still fits, and drops one that does not, with the reason", async () => {
  draft.stack = STACK;
  flushSync();
  table.show(frame({ version: 4 }));
  await settle();
  expect(draft.stack).toEqual(STACK);

  refuses = "dialog";
  table.show(frame({ version: 5 }));
  await settle();
  expect(draft.stack).toBeNull();
  expect(draft.message).toContain("so many cards");
});

it("says when the server does not tell what can be done, and asks again when told to", async () => {
  refuses = "drops";
  draft.reload();
  flushSync();
  await settle();
  expect(draft.drops.refusal?.sentence).toBe("so many cards");

  refuses = null;
  draft.reload();
  flushSync();
  await settle();
  expect(draft.drops.refusal).toBeNull();
});

it("lets nobody play while it is another's turn", async () => {
  table.show(frame({ version: 4, deciding: [1], view: { ...VIEW, turn: 1 } } as Partial<Frame>));
  flushSync();
  draft.press(handCard("9♠"));

  expect(draft.canPlay).toBe(false);
  expect(draft.picked).toBeNull();
});

it("shows the stack to everybody: made, withdrawn, and again after a lost connection", () => {
  expect(shown).toEqual([]);
  draft.stack = STACK;
  flushSync();
  table.connection = { state: "away", retryAt: 0 };
  flushSync();
  table.connection = { state: "live", cameBack: true };
  flushSync();
  draft.cancel();
  flushSync();

  expect(shown).toEqual([STACK, STACK, null]);
});
