import { describe, expect, it } from "vitest";
import type { Actions, AnyRules } from "../../api/types";
import type { Table } from "../../match/table.svelte";
import { describe as describeEvent, verdict } from "./describe";
import { fighterTitle, livingOpponents, nextAction, sideSeats, teamQuestion, type TeamFighter, type TeamView } from "./teams";

const HAND = ["2♠", "A♠", "J♥", "J♣", "6♦"];
const ACTIONS: Actions["duel"][] = [
  { type: "select_defense", card_indices: [] },
  { type: "select_defense", card_indices: [1] },
  { type: "select_target", seat: 2 },
  { type: "select_target", seat: 3 },
  { type: "execute_turn" },
];
const fighter = (changes: Partial<TeamFighter> = {}): TeamFighter => ({
  hp: 100,
  discard: [],
  dealt: true,
  committed: false,
  hand: HAND,
  attack: [],
  defense: [],
  target: null,
  selections: 0,
  streak: 0,
  ...changes,
});
const RULES = { teams: { size: 2 } } as AnyRules["duel"];
const VIEW: TeamView = { type: "team", viewer: 0, round: 3, fighters: [fighter(), fighter(), fighter({ hp: 40 }), fighter({ hp: 0 })], result: null };
const table = (changes: object = {}): Table<"duel"> =>
  ({ viewer: 0, isReplay: false, rules: RULES, view: VIEW, name: (seat: number) => ["Ann", "Bob", "Cid", "Dan"][seat], frame: { chairs: [{ name: "Ann" }, { name: "Bob" }, { name: "Cid" }, { name: "Dan" }] }, ...changes }) as unknown as Table<"duel">;
const entry = (event: object): never => ({ key: "1", version: 1, byClock: false, event }) as never;

describe("teams", () => {
  it("fight side by side", () => {
    expect(sideSeats(1, 3)).toEqual([0, 1, 2]);
    expect(sideSeats(5, 3)).toEqual([3, 4, 5]);
  });
  it("attack the one opposite, then the next", () => {
    expect(livingOpponents(1, [9, 9, 9, 9, 9, 9], 3)).toEqual([4, 5, 3]);
    expect(livingOpponents(1, [9, 9, 9, 9, 0, 9], 3)).toEqual([5, 3]);
    expect(livingOpponents(4, [9, 0, 9, 9, 9, 9], 3)).toEqual([2, 0]);
  });
});

describe("a fighter's name", () => {
  it("has a number where others have the same", () => {
    expect(fighterTitle(2, table())).toBe("Cid");
    expect(fighterTitle(2, table({ frame: { chairs: [{ name: "bot" }, { name: "Bob" }, { name: "bot" }] } }))).toBe("Cid 3");
  });
});

describe("the actions of a round", () => {
  it("select the split, then the target, then fight", () => {
    expect(nextAction(ACTIONS, fighter(), [1], 3, 2)).toEqual(ACTIONS[1]);
    expect(nextAction(ACTIONS, fighter({ defense: [1] }), [1], 3, 2)).toEqual(ACTIONS[3]);
    expect(nextAction(ACTIONS, fighter({ defense: [1], target: 3 }), [1], 3, 3)).toEqual(ACTIONS[4]);
    expect(nextAction([], fighter(), [], 2, 2)).toBeNull();
  });
});

describe("the question about a round", () => {
  it("has the viewer's split, and the hit points of all", () => {
    expect(teamQuestion(RULES, VIEW, { seat: 0, hand: HAND, draft: [1], target: 2 })).toEqual({
      rules: RULES,
      round: 3,
      fighters: [{ hp: 100, hand: HAND, defense: ["A♠"], target: 2 }, { hp: 100 }, { hp: 40 }, { hp: 0 }],
    });
    expect(teamQuestion(RULES, VIEW, null)).toMatchObject({ fighters: [{ hp: 100 }, { hp: 100 }, { hp: 40 }, { hp: 0 }] });
  });
});

describe("events in words", () => {
  const blow = (seat: number, target: number, dealt: number, hp: number): object => ({ seat, target, dealt, taken: 1, hp });
  it("say who hits whom, and who falls", () => {
    const event = { event: "team_exchanged", round: 2, blows: [blow(0, 2, 40, 99), blow(1, 2, 7, 99), blow(2, 0, 1, 0)] };
    expect(describeEvent(entry(event), table())).toBe("Round 2: You deal 40 to Cid; Bob deals 7 to Cid; Cid deals 1 to you. Cid is knocked out.");
    expect(describeEvent(entry({ ...event, blows: [blow(0, 2, 40, 0)] }), table())).toBe("Round 2: You deal 40 to Cid. You are knocked out.");
  });
  it("say whom an ally attacks", () => {
    expect(describeEvent(entry({ event: "targeted", seat: 1, target: 2 }), table())).toBe("Bob attacks Cid.");
    expect(describeEvent(entry({ event: "targeted", seat: 0, target: 2 }), table())).toBeNull();
  });
  it("say which side won", () => {
    const result = (winner: 0 | 1 | null): never => ({ why: "knock_out", winner, score: 0, gold: 0, experience: 0 }) as never;
    expect(verdict(result(0), table())).toBe("Victory");
    expect(verdict(result(1), table())).toBe("Defeat");
    expect(verdict(result(null), table())).toBe("Draw");
    expect(verdict(result(1), table({ viewer: null }))).toBe("Cid and Dan win");
  });
});
