import { describe, expect, it } from "vitest";
import type { LogEvent } from "../../match/table.svelte";
import { fighterName, nearCorner, openSides, openSplit, readiedSides, type SideView } from "./corners";
import type { Sides } from "./splits";

const HAND = ["2♠", "A♠", "J♥"];
const power = (total: number, ...cards: string[]) =>
  ({ cards, rank: "high_card", values: total, bonus: 0, gear: 0, skill: 0, total }) as Sides["attack"];
const READIED = { attack: power(9, "2♠", "J♥"), defense: power(4, "A♠") };
const log = (...events: object[]) =>
  events.map((event, index) => ({ key: `${index}.0`, version: index, event, byClock: false })) as unknown as LogEvent<"duel">[];
const side = (more: Partial<SideView> = {}): SideView =>
  ({ hp: 10, hand: HAND, defense: [1], committed: true, dealt: true, ...more }) as SideView;

describe("corners", () => {
  it("lie before who sits there, and before the first fighter for spectators", () => {
    expect([nearCorner(0), nearCorner(1), nearCorner(null)]).toEqual([0, 1, 0]);
  });

  it("have the names that the server knows fighters by", () => {
    expect([fighterName(0, true), fighterName(1, true), fighterName(1, false)]).toEqual(["player", "house", "rival"]);
  });
});

describe("an open split", () => {
  it("is final: committed, or left on the table when the duel ended", () => {
    expect(openSplit(side(), false)).toEqual({ hand: HAND, defense: [1] });
    expect(openSplit(side({ committed: false }), false)).toBeNull();
    expect(openSplit(side({ committed: false }), true)).not.toBeNull();
    expect(openSplit(side({ hand: null }), false)).toBeNull();
  });

  it("is read from the last event about these cards", () => {
    const entries = log({ event: "readied", attack: power(1, "K♠"), defense: power(1) }, { event: "readied", ...READIED });

    expect(readiedSides(entries, HAND, [1])).toEqual(READIED);
    expect(readiedSides(entries, ["2♠", "A♠", "Q♥"], [1])).toBeNull();
    expect(readiedSides(entries, HAND, [0, 1])).toBeNull();
    expect(readiedSides([], HAND, [1])).toBeNull();
  });

  it("is found among the splits of its hand where no event has it", () => {
    const splits = [{ attack: power(12, ...HAND), defense: power(0) }, READIED];

    expect(openSides(side(), false, [], splits)).toEqual(READIED);
    expect(openSides(side({ committed: false }), false, [], splits)).toBeNull();
  });
});
