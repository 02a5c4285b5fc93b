/** What the table asks the server about: what splits come to, who fights, and what is solved. */
import type { AnyRules, Schema } from "../../api/types";

type Rules = AnyRules["duel"];
export type SplitReply = Schema<"duel.SplitReply">;
export type RankedSplit = Schema<"duel.RankedSplit">;
export type FighterReply = Schema<"duel.FighterReply">;
export type SolvedReply = Schema<"duel.SolvedReply">;
export type FighterName = FighterReply["fighter"];
export type Wanted = "win" | "gold";

export type SplitPosition = {
  hand: readonly string[];
  hp: number;
  enemy_hp: number;
  round: number;
  enemy_attack: number | null;
  enemy_defense: number | null;
  objective: Wanted | null;
};
type FighterRequest = { rules: Rules; fighter: FighterName; hand: readonly string[] | null };

/** The addresses of the questions. */
export const SPLIT = "/duel/split";
export const FIGHTER = "/duel/fighter";
export const SOLVED = "/duel/solved";

export function fighterQuestion(rules: Rules, fighter: FighterName, hand: readonly string[] | null): FighterRequest {
  return { rules, fighter, hand };
}

export function solvedQuestion(rules: Rules): { rules: Rules } {
  return { rules };
}

export function splitQuestion(rules: Rules, position: SplitPosition): { rules: Rules } & SplitPosition {
  return { rules, ...position };
}
