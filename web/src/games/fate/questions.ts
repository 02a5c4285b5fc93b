/** Questions to the server about checks, with the memory of the view. */
import type { Schema } from "../../api/types";
import { percent } from "../../design/numbers";
import { words as shared } from "../../text";
import type { Rules, View } from "./deck";
import { words } from "./text";

export type AnswersReply = Schema<"fate.AnswersReply">;
export type AnswerChances = Schema<"fate.AnswerChances">;
export type ChecksReply = Schema<"fate.ChecksReply">;
export type CheckChances = Schema<"fate.CheckChances">;
export type OddsReply = Schema<"fate.CheckOddsReply">;
export type AbilitiesReply = Schema<"fate.AbilitiesReply">;
export type KeepsReply = { answers: AnswersReply[] };
export type Certainty = Schema<"fate.Certainty">;

export const ODDS = "/fate/odds";
export const CHECKS = "/fate/checks";
export const ABILITIES = "/fate/abilities";
export const ANSWERS = "/fate/answers";
export const ANSWERS_BATCH = "/fate/answers/batch";

/** Return what a chance is, in words: exact, before talents, or an estimate where a seat cannot follow all orders. */
export const describeCertainty = (certainty: Certainty): string => (certainty === "exact" ? shared.common.exact : words.odds.certainty[certainty]);

/** Return what the chances of a reply are, in words. */
export const certaintyOf = (reply: { certainty: Certainty }): string => describeCertainty(reply.certainty);

/** Return what the chances of several replies are, in words: exact only where those of all are. */
export function certaintyOfAll(replies: readonly { certainty: Certainty }[]): string {
  const inexact = replies.find((reply) => reply.certainty === "estimate") ?? replies.find((reply) => reply.certainty !== "exact");
  return describeCertainty(inexact?.certainty ?? "exact");
}

/** Return what talents draw for the cards at hand, and how it ends if these are taken. */
export function talentsLine(reply: AnswersReply): string {
  const success = reply.answers.find((one) => one.ability === null)?.success;
  return words.check.talentsDraw(reply.draws, success ? `${percent(success)} (${certaintyOf(reply)})` : "");
}

/** Return the question about the present check and its abilities; null where there is none. */
export function answerQuestion(view: View, rules: Rules): object | null {
  const check = view.check;
  if (!check || view.stage !== "answer" || check.judged.length) return null;
  return { rules, memory: view.memory, check: check.name, player: check.player, on_turn: check.on_turn, hand: check.hand };
}

/** Return the question about each choice of cards to keep; null where there is none. */
export function keepsQuestion(view: View, rules: Rules, keeps: readonly (readonly number[])[]): object | null {
  const check = view.check;
  if (!check || view.stage !== "keep" || !keeps.length) return null;
  const hands = keeps.map((places) => places.map((place) => check.hand[place] ?? ""));
  return {
    count: hands.length,
    same: { rules, memory: view.memory, check: check.name, player: check.player, on_turn: check.on_turn },
    each: { hand: hands },
  };
}

/** Return the question about all checks of a player, if they were called now. */
export function checksQuestion(view: View, rules: Rules, player: number, isOnTurn: boolean): object {
  return { rules, memory: view.memory, player, on_turn: isOnTurn };
}

/** Return the question about the totals of a check. */
export function totalsQuestion(view: View, rules: Rules, player: number, isOnTurn: boolean, check: string): object {
  return { rules, memory: view.memory, player, on_turn: isOnTurn, check };
}

/** Return the question about the gain of each ability. */
export function abilitiesQuestion(view: View, rules: Rules, player: number, isOnTurn: boolean, check: string): object {
  return { rules, memory: view.memory, player, on_turn: isOnTurn, check };
}
