/** Questions to the server about a duel: what splits come to, who fights, and for which objectives perfect play is solved. */
import type { AnyRules, Schema } from "../../api/types";
import { fighterName, otherCorner, readiedSides, type Corner, type View } from "./corners";
import type { LogEvent } from "../../match/table.svelte";
import { wears } from "./optional_rules";
import type { Sides } from "./splits";

type Rules = AnyRules["duel"];
export type SplitReply = Schema<"duel.SplitReply">;
export type RankedSplit = Schema<"duel.RankedSplit">;
export type FighterReply = Schema<"duel.FighterReply">;
export type SolvedReply = Schema<"duel.SolvedReply">;
export type FighterName = FighterReply["fighter"];
export type Objective = "win" | "gold";

export type SplitPosition = {
  hand: readonly string[];
  hp: number;
  enemy_hp: number;
  round: number;
  streak: number;
  enemy_streak: number;
  enemy_attack: number | null;
  enemy_defense: number | null;
  objective: Objective | null;
};
/** The round of a fighter, and the streak of its combo, on which its powers may depend. */
export type Moment = { round: number; streak: number };
type FighterRequest = { rules: Rules; fighter: FighterName; hand: readonly string[] | null } & Partial<Moment>;

export const SPLIT = "/duel/split";
export const FIGHTER = "/duel/fighter";
export const SOLVED = "/duel/solved";

export function fighterQuestion(rules: Rules, fighter: FighterName, hand: readonly string[] | null, moment: Partial<Moment> = {}): FighterRequest {
  return { rules, fighter, hand, ...moment };
}


export function solvedQuestion(rules: Rules): { rules: Rules } {
  return { rules };
}

export function splitQuestion(rules: Rules, position: SplitPosition): { rules: Rules } & SplitPosition {
  return { rules, ...position };
}

/** The state of a duel from which its questions follow. */
export type DuelState = {
  rules: Rules;
  view: View | null;
  log: readonly LogEvent<"duel">[];
  near: Corner;
  /** What the cards of the other fighter come to, where they lie open. */
  enemy: Sides | null;
  /** The objective of the coach; null where there is no coach, or it ranks by damage. */
  objective: Objective | null;
  /** The objectives for which perfect play is solved with these rules. */
  solved: readonly string[];
};

/** The questions of a table; null where nothing is asked. */
export type DuelQuestions = {
  fighters: readonly [object | null, object | null];
  /** What is left of both fighters' gear in this round. */
  worn: readonly [object | null, object | null];
  ownHand: object | null;
  otherHand: object | null;
  numbers: object | null;
  solved: object | null;
  advice: object | null;
};

/** Return the questions in this state. */
export function duelQuestions(state: DuelState): DuelQuestions {
  const { rules, view, near, objective } = state;
  if (!view) return { fighters: [null, null], worn: [null, null], ownHand: null, otherHand: null, numbers: null, solved: null, advice: null };
  const [own, other] = [view.sides[near], view.sides[otherCorner(near)]];
  const aboutFighter = (corner: Corner): object => fighterQuestion(rules, fighterName(corner, view.house), null);
  const aboutGear = (corner: Corner): object | null =>
    wears(rules) ? fighterQuestion(rules, fighterName(corner, view.house), null, { round: view.round }) : null;
  const aboutHand = (corner: Corner, hand: readonly string[]): object =>
    fighterQuestion(rules, fighterName(corner, view.house), hand, { round: view.round, streak: view.sides[corner].streak });
  const hand = own.hand?.length ? own.hand : null;
  const isOpen = other.hand?.length && other.defense && !readiedSides(state.log, other.hand, other.defense);
  const position = positionOf(state, hand);
  return {
    fighters: [aboutFighter(0), aboutFighter(1)],
    worn: [aboutGear(0), aboutGear(1)],
    ownHand: hand && (!view.house || view.result) ? aboutHand(near, hand) : null,
    otherHand: isOpen && other.hand ? aboutHand(otherCorner(near), other.hand) : null,
    numbers: position && splitQuestion(rules, { ...position, objective: null }),
    solved: position && objective ? solvedQuestion(rules) : null,
    advice: position && objective && state.solved.includes(objective) ? splitQuestion(rules, { ...position, objective }) : null,
  };
}

/** Return the position of a round against the house; null where the server cannot rank its splits. */
function positionOf({ rules, view, near, enemy }: DuelState, hand: readonly string[] | null): Omit<SplitPosition, "objective"> | null {
  if (!view?.house || !hand || view.result !== null || (enemy === null && rules.opponent_visible)) return null;
  return {
    hand,
    hp: view.sides[near].hp,
    enemy_hp: view.sides[otherCorner(near)].hp,
    round: view.round,
    streak: view.sides[near].streak,
    enemy_streak: view.sides[otherCorner(near)].streak,
    enemy_attack: enemy?.attack.total ?? null,
    enemy_defense: enemy?.defense.total ?? null,
  };
}
