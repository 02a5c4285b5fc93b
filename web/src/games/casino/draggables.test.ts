import { describe, expect, it } from "vitest";
import {
  buildAt,
  draggables,
  handCard,
  isStaged,
  keyOf,
  lightOf,
  looseCard,
  meaningOf,
  nameOf,
  onlyAction,
  stagedThings,
  type Action,
  type PossibleDrop,
  type View,
} from "./draggables";

const MOVE = { kind: "capture", hand: ["4♦"], loose: ["4♠"], builds: [] } as const;
const STAGING = { owner: 0, hand: ["4♦"], loose: ["4♠"], builds: [] };
const VIEW = {
  viewer: 0, hand: ["4♦", "9♠"], hand_sizes: [2, 2], loose: ["4♠", "5♦"], builds: [{ cards: ["2♣", "3♣"], value: 5, owner: 1 }],
  piles: [[], []], sweeps: [0, 0], stock_size: 40, turn: 0, deal: 1, last_capture: null,
} satisfies View;

function action(kind: Action["kind"]): Action {
  const isStack = kind === "staging" || kind === "edit";
  return {
    kind,
    label: kind,
    priority: 0,
    move: isStack || kind === "cancel" ? null : { ...MOVE, hand: [...MOVE.hand], loose: [...MOVE.loose], builds: [] },
    staging: isStack ? STAGING : null,
  };
}
function drop(kinds: Action["kind"][], needsChoice = false): PossibleDrop {
  return { target: { thing: "loose_card", card: "4♠" }, actions: kinds.map(action), needs_choice: needsChoice, refusal: null };
}

describe("things", () => {
  it("have a key for each place", () => {
    expect([handCard("4♦"), looseCard("4♠"), buildAt(1), { thing: "stack" } as const, { thing: "open_area" } as const].map(keyOf)).toEqual([
      "hand:4♦",
      "loose:4♠",
      "build:1",
      "stack",
      "open",
    ]);
  });

  it("can be dragged unless they lie in the stack", () => {
    const stack = { owner: 0, hand: ["9♠"], loose: ["5♦"], builds: [0] };

    expect(draggables(VIEW, null).map(keyOf)).toEqual(["hand:4♦", "hand:9♠", "loose:4♠", "loose:5♦", "build:0"]);
    expect(draggables(VIEW, stack).map(keyOf)).toEqual(["hand:4♦", "loose:4♠"]);
    expect(stagedThings(stack).map(keyOf)).toEqual(["loose:5♦", "build:0", "hand:9♠"]);
    expect(isStaged(looseCard("5♦"), null)).toBe(false);
  });

  it("are named in short", () => {
    expect(nameOf(handCard("4♦"), VIEW)).toBe("4♦");
    expect(nameOf(buildAt(0), VIEW)).toBe("the build of 5");
    expect(nameOf(buildAt(3), VIEW)).toBe("a build");
  });
});

describe("a drop", () => {
  it("lights up for a move, less for a stack, and not at all where nothing can be done", () => {
    expect(lightOf(drop(["staging", "capture"]))).toBe("move");
    expect(lightOf(drop(["staging"]))).toBe("stack");
    expect(lightOf(drop([]))).toBeNull();
    expect(lightOf(undefined)).toBeNull();
  });

  it("says what it would be", () => {
    expect(meaningOf(drop(["staging", "capture"]))).toBe("capture");
    expect(meaningOf(drop(["staging"]))).toBe("stack");
    expect(meaningOf(drop(["staging", "capture", "build"], true))).toBe("2 choices");
    expect(meaningOf(drop([]))).toBe("");
  });

  it("means the one move, else the staging, and nothing where a choice is to be made", () => {
    expect(onlyAction(drop(["staging", "capture", "edit", "cancel"]))?.kind).toBe("capture");
    expect(onlyAction(drop(["staging", "edit", "cancel"]))?.kind).toBe("staging");
    expect(onlyAction(drop(["trail"], true))).toBeNull();
  });
});
