import { expect, it } from "vitest";
import type { ListedMove, OddsReply } from "./questions";
import { rankMoves } from "./coach";

type MoveOdds = OddsReply["moves"][number];

function odds(number: number, card: string, capture: string, sweep = "0"): MoveOdds {
  return {
    number,
    text: card,
    words: "trail",
    exposure: { move: { kind: "trail", hand: [card], loose: [], builds: [] }, seat: 1, capture, sweep },
  };
}
function gain(card: string, points: number, cards = 0): ListedMove {
  return {
    number: 1,
    text: card,
    words: "trail",
    move: { kind: "trail", hand: [card], loose: [], builds: [] },
    gain: { points, cards, spades: 0, sweep: false },
    estimate: null,
  };
}

it("lists sure points first, then what leaves fewer sweeps, then fewer captures, then what takes more cards", () => {
  const moves = [odds(1, "2♠", "1/3"), odds(2, "3♠", "1/2", "1/9"), odds(3, "4♠", "1/2"), odds(4, "5♠", "1/1"), odds(5, "6♠", "1/3")];
  const gains = [gain("5♠", 2), gain("6♠", 0, 2)];

  expect(rankMoves(moves, gains).map((one) => one.odds.number)).toEqual([4, 5, 1, 3, 2]);
});
