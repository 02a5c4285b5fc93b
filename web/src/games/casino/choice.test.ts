import { describe, expect, it } from "vitest";
import { dropChoice, endsStack, stackChoice, stagingOf } from "./choice";
import { handCard, looseCard, OPEN, type Dialog, type PossibleDrop, type View } from "./draggables";

const STAGING = { hand: ["4♥"], loose: ["4♠"], builds: [] };
const MOVE = { kind: "capture", label: "Take 4♠", move: { kind: "capture", hand: ["4♥"], loose: ["4♠"], builds: [] }, staging: null };
const STAGE = { kind: "staging", label: "Put together", move: null, staging: STAGING };
const DROP = { target: looseCard("4♠"), actions: [MOVE, STAGE], needs_choice: true, refusal: null } as unknown as PossibleDrop;
const DIALOG = {
  title: "A stack of 4♥ and 4♠",
  message: "What shall it be?",
  options: [MOVE],
  edit: { kind: "edit", label: "Change it" },
  cancel: { kind: "cancel", label: "Put it back" },
  unavailable: [{ kind: "build", reason: { code: "no_card", sentence: "You hold no 8." } }],
} as unknown as Dialog;

describe("the choice of a drop", () => {
  it("has the words of the server's dialog about the staging that it offers", () => {
    const choice = dropChoice(handCard("4♥"), DROP, "loose:4♠", DIALOG, null);

    expect(choice.title).toBe(DIALOG.title);
    expect(choice.message).toMatch(/4♥.*4♠.*: What shall it be\?/);
    expect([choice.actions, choice.unavailable]).toEqual([DROP.actions, DIALOG.unavailable]);
  });

  it("names thing and target where there is no dialog", () => {
    expect(dropChoice(handCard("4♥"), DROP, "loose:4♠", null, null)).toMatchObject({
      title: expect.stringMatching(/4♥.*4♠/),
      unavailable: [],
    });
    expect(dropChoice(handCard("4♥"), DROP, OPEN, null, null).title).not.toMatch(/4♠/);
  });

  it("offers a staging, or none", () => {
    expect(stagingOf(DROP)).toBe(STAGING);
    expect(stagingOf({ ...DROP, actions: [MOVE] } as unknown as PossibleDrop)).toBeNull();
  });
});

it("the choice of a stack lists its options, then editing and cancelling", () => {
  expect(stackChoice(DIALOG).actions.map((action) => action.kind)).toEqual(["capture", "edit", "cancel"]);
});

it("a stack ends with a move, the turn or the game", () => {
  const view = { turn: 0, viewer: 0 } as View;

  expect(endsStack(view, false, false)).toBe(false);
  expect(endsStack(view, true, false)).toBe(true);
  expect(endsStack(view, false, true)).toBe(true);
  expect(endsStack({ ...view, turn: 1 }, false, false)).toBe(true);
  expect(endsStack(null, false, false)).toBe(true);
});
