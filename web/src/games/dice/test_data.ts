/** Views, rules and tables of Dice Hands for tests. */
import type { Frame } from "../../api/types";
import { Table } from "../../match/table.svelte";
import type { Rules, Score, View } from "./questions";

const PLAIN = {
  weights: [1, 1, 1, 1, 1, 1],
  effect: "plain",
  bonus: 0,
  bonus_per_level: 0,
  bonus_faces: [1, 2, 3, 4, 5, 6],
  bonus_needs_match: false,
  shatter: 0,
};

export const RULES = {
  selection: "first_match",
  normal_kind: "normal",
  rounds: 100,
  kinds: {
    normal: PLAIN,
    weighted: { ...PLAIN, weights: [0.5, 0.5, 0.8, 1.2, 1.5, 1.8] },
    light: { ...PLAIN, weights: [1, 1, 1, 0, 0, 0] },
    glass: { ...PLAIN, bonus: 10, bonus_per_level: 5, bonus_needs_match: true, shatter: 0.2 },
    odd: { ...PLAIN, bonus: 5, bonus_per_level: 3, bonus_faces: [1, 3, 5] },
    wild: { ...PLAIN, effect: "wild" },
    mirror: { ...PLAIN, weights: [1, 2, 1, 1, 1, 1], effect: "mirror" },
  },
} as unknown as Rules;

export function viewOf(more: Partial<View> = {}): View {
  return {
    viewer: 0,
    build: { dice: Array.from({ length: 5 }, () => ({ kind: "normal", level: 0 })), items: [], levels: {} },
    money: 12,
    points: 190,
    round: 3,
    target: 72,
    stage: "choose",
    boss: null,
    fixed: null,
    faces: [5, 5, 5, 2, 4],
    locked: [],
    wilds_set: [],
    rerolls: 2,
    adjustments: 0,
    score: null,
    stock: { dice: [], items: [], upgrades: [], free_choices: 0 },
    result: null,
    ...more,
  } as View;
}

export function scoreOf(more: Partial<Score> = {}): Score {
  return {
    hand: "three_of_a_kind", level: 0, base: 30, multiplier: 2, matched: [0, 1, 2], matched_sum: 15, hand_score: 90,
    abilities: [], items: [], ability_bonus: 0, item_bonus: 0, item_multiplier: 0, total: 90, ...more,
  };
}

export function frameOf(version: number, view: View, actions: object[]): Frame {
  return {
    match: "m1", game: "dice", version, viewer: 0, deciding: [0], chairs: [{ name: "Ann" }], view, actions,
    events: [], outcome: null, abandonment: null, practice: null,
  } as unknown as Frame;
}

/** Return a table with a live connection. */
export function tableOf(view: View, actions: object[] = []): Table<"dice"> {
  const table = new Table("dice", RULES, frameOf(1, view, actions));
  table.connection = { state: "live", cameBack: false };
  return table;
}
