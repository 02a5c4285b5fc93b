import { describe as about, expect, it } from "vitest";
import type { Events, Frame } from "../../api/types";
import { Table } from "../../match/table.svelte";
import { describe } from "./describe";

const POWER = { cards: [], rank: "high_card", values: 0, bonus: 0, gear: 0, skill: 0, total: 7 } as const;

function table(viewer: number | null, { house = true, replay = false } = {}): Table<"duel"> {
  const chairs = ["Ann", ...(house ? [] : ["Bob"])].map((name) => ({ name, bot: null, bank: 0, due_at: null }));
  const frame = {
    match: "m",
    version: 1,
    game: "duel",
    viewer,
    chairs,
    deciding: [],
    view: { house },
    actions: [],
    outcome: null,
    abandonment: null,
  };
  const made = new Table("duel", {} as never, frame as unknown as Frame);
  if (replay) made.connection = { state: "replay" };
  return made;
}

function line(event: unknown, at: Table<"duel">): string | null {
  return describe({ key: "1.0", version: 1, event: event as Events["duel"], byClock: false }, at);
}

const EXCHANGED = {
  event: "exchanged",
  round: 3,
  blows: [
    { attack: POWER, defense: POWER, dealt: 24, hp: 78 },
    { attack: POWER, defense: POWER, dealt: 7, hp: 40 },
  ],
};
const WON = { event: "ended", result: { why: "knock_out", winner: 0, score: 117, gold: 132, experience: 48 } };

about("the log of a duel", () => {
  it("says blows as the fighter felt them", () => {
    expect(line(EXCHANGED, table(0))).toBe("Round 3: You deal 24, the house has 40 HP left. The house deals 7, you have 78 HP left.");
  });

  it("says blows by name to who looks on, and in a replay", () => {
    const said = "Round 3: Ann deals 24, Bob has 40 HP left. Bob deals 7, Ann has 78 HP left.";

    expect(line(EXCHANGED, table(null, { house: false }))).toBe(said);
    expect(line(EXCHANGED, table(1, { house: false, replay: true }))).toBe(said);
  });

  it("says hands to those who were dealt them, and the house's with its split", () => {
    expect(line({ event: "dealt", seat: 0, hand: ["10♠", "A♦"] }, table(0))).toBe("Your hand: ten of spades, ace of diamonds.");
    expect(line({ event: "dealt", seat: 0, hand: ["10♠"] }, table(null))).toBe("Ann: ten of spades.");
    expect(line({ event: "dealt", seat: 1, hand: ["10♠"] }, table(0))).toBeNull();
    expect(line({ event: "readied", attack: POWER, defense: POWER }, table(0))).toBe("The house attacks with 7 and defends with 7.");
  });

  it("says who is ready, and keeps selections to itself", () => {
    expect(line({ event: "committed", seat: 1 }, table(0, { house: false }))).toBe("Bob is ready.");
    expect(line({ event: "committed", seat: 0 }, table(0, { house: false }))).toBe("You are ready.");
    expect(line({ event: "selected", seat: 0, attack: [], defense: [] }, table(0))).toBeNull();
  });

  it("says once that decks are shuffled", () => {
    expect([0, 1].map((seat) => line({ event: "reshuffled", seat }, table(0)))).toEqual([
      "The used cards are shuffled back into the decks.",
      null,
    ]);
  });

  it("says how it ended, and what it pays", () => {
    expect(line(WON, table(0))).toBe("Victory: by knock-out. Score 117, 132 gold, 48 experience.");
    expect(line(WON, table(1, { house: false }))).toBe("Defeat: by knock-out.");
    expect(line(WON, table(null, { house: false }))).toBe("Ann wins: by knock-out.");
  });

  it("tells a flight from the house from a draw between players", () => {
    const fled = { event: "ended", result: { why: "flight", winner: null, score: 10, gold: 0, experience: 5 } };

    expect(line(fled, table(0))).toBe("Fled: by flight. Score 10, 0 gold, 5 experience.");
    expect(line(fled, table(0, { house: false }))).toBe("Draw: by flight.");
  });
});
