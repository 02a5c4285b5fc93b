import { expect, it } from "vitest";
import type { Events } from "../../api/types";
import { describe } from "./describe";

const TABLE = { viewer: 0, name: (seat: number) => ["Me", "Ann", "Bob"][seat] ?? "" };
type MovedEvent = Extract<Events["casino"], { event: "moved" }>;

function say(event: Events["casino"]): string | null {
  return describe({ key: "1.0", version: 1, event, byClock: false }, TABLE);
}
function makeMoved(seat: number, move: Partial<MovedEvent["move"]>, rest: Partial<MovedEvent> = {}): Events["casino"] {
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

it("says every move, to the viewer as you", () => {
  expect(say(makeMoved(0, { kind: "capture", hand: ["7♦"], loose: ["3♣", "4♥"] }, { taken: ["3♣", "4♥", "7♦"] }))).toBe(
    "You take 3♣ and 4♥ with 7♦.",
  );
  expect(say(makeMoved(1, { kind: "capture", hand: ["K♠"], loose: ["Q♠"] }, { taken: ["Q♠", "K♠"], marriage: true, sweep: true }))).toBe(
    "Ann takes Q♠ with K♠, a marriage. Ann sweeps the table!",
  );
  expect(say(makeMoved(1, { kind: "two_card_capture", hand: ["3♠", "4♦"], builds: [0] }, { taken: ["2♣", "5♣", "3♠", "4♦"] }))).toBe(
    "Ann takes 2♣ and 5♣ with 3♠ and 4♦.",
  );
  expect(say(makeMoved(2, { kind: "build", hand: ["4♠"], loose: ["5♦"] }))).toBe("Bob builds with 4♠ and 5♦.");
  expect(say(makeMoved(2, { kind: "build_marriage", hand: ["K♠"], loose: ["Q♠"] }))).toBe("Bob builds a marriage of K♠ and Q♠.");
  expect(say(makeMoved(0, { kind: "extend", hand: ["3♠"], builds: [0] }))).toBe("You extend a build with 3♠.");
  expect(say(makeMoved(0, { hand: ["8♥"] }))).toBe("You trail 8♥.");
});

it("says deals, what is left, and how it ended", () => {
  const audience = "everyone" as const;

  expect(say({ event: "dealt", audience: [0], seat: 0, cards: ["4♦", "9♠"] })).toBe("You are dealt 4♦ 9♠.");
  expect(say({ event: "dealt", audience, seat: 1, cards: ["2♦"] })).toBe("Ann is dealt 2♦.");
  expect(say({ event: "laid", audience, deal: 1, cards: ["4♠"] })).toBe("Deal 1: 4♠ on the table.");
  expect(say({ event: "laid", audience, deal: 2, cards: [] })).toBe("Deal 2.");
  expect(say({ event: "cleared", audience, seat: 1, cards: ["4♠"] })).toBe("Ann captured last and takes the last 1 card.");
  expect(say({ event: "cleared", audience, seat: null, cards: ["4♠", "5♠"] })).toBe(
    "Nobody ever captured: the last 2 cards stay on the table.",
  );
  expect(say({ event: "cleared", audience, seat: 1, cards: [] })).toBeNull();
  expect(
    say({
      event: "ended",
      audience,
      scores: [
        { cards: 30, spades: 7, sweeps: 1, points: 8 },
        { cards: 22, spades: 6, sweeps: 0, points: 3 },
      ],
    }),
  ).toBe("The game is over: Me 8, Ann 3.");
});
