/** What the table asks the server about: what splits come to, who fights, and what is solved. */
import type { AnyRules, Schema } from "../../api/types";

type Rules = AnyRules["duel"];
export type SplitReply = Schema<"duel.SplitReply">;
export type WeighedSplit = Schema<"duel.WeighedSplit">;
export type FighterReply = Schema<"duel.FighterReply">;
export type SolvedReply = Schema<"duel.SolvedReply">;
export type FighterName = FighterReply["fighter"];
export type Wanted = "win" | "gold";

export type SplitAsked = {
  hand: readonly string[];
  hp: number;
  enemy_hp: number;
  round: number;
  enemy: readonly [number, number] | null;
  objective: Wanted | null;
};

type Question = { type: "split"; rules: Rules } & SplitAsked | { type: "fighter"; rules: Rules; fighter: FighterName; hand: readonly string[] | null } | { type: "solved"; rules: Rules };

export const ODDS = "/duel/odds";

export function aboutFighter(rules: Rules, fighter: FighterName, hand: readonly string[] | null): Question {
  return { type: "fighter", rules, fighter, hand };
}

export function aboutSolutions(rules: Rules): Question {
  return { type: "solved", rules };
}

export function aboutSplits(rules: Rules, asked: SplitAsked): Question {
  return { type: "split", rules, ...asked };
}
