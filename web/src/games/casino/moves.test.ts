import { describe, expect, it } from "vitest";
import { groupMoves, keyOfMove, moveInWords } from "./moves";
import type { Move } from "./draggables";

const BUILDS = [{ cards: ["4♠", "5♦"], value: 9, owner: 1 }];
const MOVES: Move[] = [
  { kind: "trail", hand: ["8♥"], loose: [], builds: [] },
  { kind: "capture", hand: ["9♠"], loose: ["9♦"], builds: [0] },
  { kind: "two_card_capture", hand: ["3♠", "4♦"], loose: ["7♥"], builds: [] },
  { kind: "build", hand: ["4♠"], loose: ["2♦", "3♦"], builds: [] },
  { kind: "build_marriage", hand: ["K♠"], loose: ["Q♠"], builds: [] },
  { kind: "extend", hand: ["A♠"], loose: [], builds: [0] },
];

describe("moves", () => {
  it("are said in words", () => {
    expect(MOVES.map((move) => moveInWords(move, BUILDS))).toEqual([
      "Lay down 8♥",
      "9♠ takes 9♦ and [4♠ 5♦] worth 9",
      "3♠ and 4♦ take 7♥",
      "4♠ builds with 2♦ and 3♦",
      "K♠ marries Q♠",
      "A♠ extends [4♠ 5♦] worth 9",
    ]);
  });

  it("are grouped in the order of the rules, and can be narrowed to one card", () => {
    expect(groupMoves(MOVES, null).map((group) => group.kind)).toEqual([
      "capture",
      "two_card_capture",
      "build_marriage",
      "build",
      "extend",
      "trail",
    ]);
    expect(groupMoves(MOVES, "4♦").map((group) => group.kind)).toEqual(["two_card_capture"]);
  });

  it("have keys of their own", () => {
    expect(new Set(MOVES.map(keyOfMove)).size).toBe(MOVES.length);
  });
});
