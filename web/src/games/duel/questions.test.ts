import { describe, expect, it } from "vitest";
import type { View } from "./corners";
import { duelQuestions, type DuelState } from "./questions";

const HAND = ["2♠", "A♠", "J♥", "J♣", "6♦"];
const DURABILITY = { weapon_wear: 0, armor_wear: 0 };
const RULES = { opponent_visible: true, durability: DURABILITY } as unknown as DuelState["rules"];
const ENEMY = { attack: { total: 20 }, defense: { total: 8 } } as DuelState["enemy"];
const view = (more: object = {}): View =>
  ({
    house: true,
    round: 3,
    result: null,
    sides: [
      { hp: 100, hand: HAND, defense: [], streak: 2 },
      { hp: 80, hand: HAND, defense: [0], streak: 1 },
    ],
    ...more,
  }) as unknown as View;
const makeState = (more: Partial<DuelState> = {}): DuelState => ({
  rules: RULES,
  view: view(),
  log: [],
  near: 0,
  enemy: ENEMY,
  objective: null,
  solved: [],
  ...more,
});
const POSITION = { rules: RULES, hand: HAND, hp: 100, enemy_hp: 80, round: 3, streak: 2, enemy_streak: 1, enemy_attack: 20, enemy_defense: 8 };

describe("the questions of a duel", () => {
  it("are none before there is a view", () => {
    expect(Object.values(duelQuestions(makeState({ view: null }))).flat().filter(Boolean)).toEqual([]);
  });

  it("are about both fighters, the cards that lie open, and the splits of the hand", () => {
    const asked = duelQuestions(makeState());

    expect(asked.fighters).toEqual([{ rules: RULES, fighter: "player", hand: null }, { rules: RULES, fighter: "house", hand: null }]);
    expect(asked.otherHand).toEqual({ rules: RULES, fighter: "house", hand: HAND, round: 3, streak: 1 });
    expect(asked.numbers).toEqual({ ...POSITION, objective: null });
    expect([asked.ownHand, asked.solved, asked.advice]).toEqual([null, null, null]);
  });

  it("are about worn gear where gear wears", () => {
    const rules = { ...RULES, durability: { weapon_wear: 1, armor_wear: 0 } } as unknown as DuelState["rules"];

    expect(duelQuestions(makeState()).worn).toEqual([null, null]);
    expect(duelQuestions(makeState({ rules })).worn).toEqual([
      { rules, fighter: "player", hand: null, round: 3 },
      { rules, fighter: "house", hand: null, round: 3 },
    ]);
  });

  it("wait for the cards of the house where they are to be seen", () => {
    expect(duelQuestions(makeState({ enemy: null })).numbers).toBeNull();
    const hidden = duelQuestions(makeState({ enemy: null, rules: { opponent_visible: false, durability: DURABILITY } as unknown as DuelState["rules"] }));
    expect(hidden.numbers).toMatchObject({ enemy_attack: null, enemy_defense: null });
  });

  it("ask the coach for what is solved alone", () => {
    expect(duelQuestions(makeState({ objective: "win" }))).toMatchObject({ solved: { rules: RULES }, advice: null });
    expect(duelQuestions(makeState({ objective: "win", solved: ["win"] })).advice).toEqual({ ...POSITION, objective: "win" });
  });

  it("are about one's own hand between two players, where nothing ranks splits", () => {
    const asked = duelQuestions(makeState({ view: view({ house: false }), near: 1 }));

    expect(asked.ownHand).toEqual({ rules: RULES, fighter: "rival", hand: HAND, round: 3, streak: 1 });
    expect(asked.numbers).toBeNull();
  });
});
