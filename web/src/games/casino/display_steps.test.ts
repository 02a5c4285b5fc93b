import { describe, expect, it } from "vitest";
import { arrangeLoose, cardsOf, displaySteps, type Event } from "./display_steps";
import type { Move, View } from "./draggables";

const VIEW: View = {
  viewer: 0, hand: ["4♦", "9♠"], hand_sizes: [2, 2], loose: ["4♠", "5♦", "3♣"], builds: [{ cards: ["2♣", "6♣"], value: 8, owner: 1 }],
  piles: [[], ["K♣"]], sweeps: [0, 0], stock_size: 40, turn: 0, deal: 1, last_capture: null,
};
function makeMoved(seat: number, move: Partial<Move> & Pick<Move, "kind" | "hand">, rest: { taken?: string[]; sweep?: boolean } = {}): Event {
  return {
    event: "moved",
    audience: "everyone",
    seat,
    move: { loose: [], builds: [], ...move },
    taken: rest.taken ?? [],
    marriage: false,
    sweep: rest.sweep ?? false,
  };
}

describe("steps", () => {
  it("end in exactly the view that came", () => {
    const after = { ...VIEW, turn: 1 };

    expect(displaySteps(VIEW, [makeMoved(0, { kind: "trail", hand: ["4♦"] })], after).at(-1)?.view).toBe(after);
    expect(displaySteps(VIEW, [], after)).toEqual([]);
  });

  it("show a capture before what follows it: its cards are in the pile, and the hand is smaller", () => {
    const events = [
      makeMoved(1, { kind: "capture", hand: ["8♦"], loose: ["5♦", "3♣"], builds: [0] }, { taken: ["5♦", "3♣", "2♣", "6♣", "8♦"], sweep: true }),
      makeMoved(0, { kind: "trail", hand: ["9♠"] }),
    ];
    const [first] = displaySteps(VIEW, events, { ...VIEW, hand: ["4♦"] });

    expect(first?.view).toMatchObject({
      loose: ["4♠"],
      builds: [],
      hand_sizes: [2, 1],
      piles: [[], ["K♣", "5♦", "3♣", "2♣", "6♣", "8♦"]],
      sweeps: [0, 1],
      last_capture: 1,
    });
  });

  it("show builds with the value that they are seen to have later", () => {
    const build = { cards: ["4♠", "4♦"], value: 8, owner: 0 };
    const after = { ...VIEW, hand: ["9♠"], loose: ["5♦", "3♣"], builds: [...VIEW.builds, build] };
    const [first] = displaySteps(
      VIEW,
      [makeMoved(0, { kind: "build", hand: ["4♦"], loose: ["4♠"] }), makeMoved(1, { kind: "trail", hand: ["A♠"] })],
      after,
    );

    expect(first?.view.builds).toEqual(after.builds);
    expect(first?.view.hand).toEqual(["9♠"]);
  });

  it("show a build that was taken at once without a value", () => {
    const events = [makeMoved(0, { kind: "extend", hand: ["4♦"], builds: [0] }), makeMoved(1, { kind: "trail", hand: ["A♠"] })];
    const [first] = displaySteps(VIEW, events, { ...VIEW, builds: [] });

    expect(first?.view.builds).toEqual([{ cards: ["2♣", "6♣", "4♦"], value: 0, owner: 1 }]);
  });

  it("show one deal at once, with the hands as they were before anybody played", () => {
    const events: Event[] = [
      { event: "dealt", audience: [0], seat: 0, cards: ["A♠", "2♠"] },
      { event: "laid", audience: "everyone", deal: 2, cards: ["Q♥"] },
      makeMoved(1, { kind: "trail", hand: ["A♦"] }),
    ];
    const after = { ...VIEW, hand: ["A♠", "2♠"], hand_sizes: [2, 1], deal: 2, stock_size: 32 };
    const steps = displaySteps({ ...VIEW, hand: [], hand_sizes: [0, 0] }, events, after);

    expect(steps.map((step) => step.events.length)).toEqual([2, 1]);
    expect(steps[0]?.view).toMatchObject({ hand: ["A♠", "2♠"], hand_sizes: [2, 2], deal: 2, stock_size: 32, loose: [...VIEW.loose, "Q♥"] });
  });

  it("give what is left to whoever captured last", () => {
    const events: Event[] = [
      { event: "cleared", audience: "everyone", seat: 1, cards: ["4♠"] },
      { event: "ended", audience: "everyone", scores: [] },
    ];
    const after = { ...VIEW, loose: [] };

    expect(displaySteps({ ...VIEW, builds: [] }, events, after)).toHaveLength(1);
  });
});

describe("loose cards", () => {
  it("stay where they lay, and new ones come last", () => {
    expect(arrangeLoose(["9♠", "4♠", "3♣"], ["3♣", "5♦", "9♠"])).toEqual(["9♠", "3♣", "5♦"]);
  });

  it("of a move are known with those of its builds", () => {
    expect(cardsOf({ kind: "capture", hand: ["8♦"], loose: ["5♦"], builds: [0, 7] }, VIEW.builds)).toEqual(["5♦", "2♣", "6♣"]);
  });
});
