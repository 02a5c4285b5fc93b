/** Questions to the server about a run. */
import type { AnyRules, Schema, Views } from "../../api/types";

export type View = Views["dice"];
export type Rules = AnyRules["dice"];
export type Score = Schema<"dice.Score">;
export type PoolDie = { kind: string; level?: number };
export type ScoreReply = Schema<"dice.DiceScoreReply">;
export type WaysReply = { answers: ScoreReply[] };
export type BuildReply = Schema<"dice.BuildReply">;
export type AdviceReply = Schema<"dice.AdviceReply">;
export type RollReply = Schema<"dice.RollOddsReply">;
export type ShopReply = Schema<"dice.OffersReply">;
export type Offer = Schema<"dice.Offer">;

/** Return a die as the rules write it: "glass+2". */
export function dieText(die: PoolDie): string {
  return die.level ? `${die.kind}+${die.level}` : die.kind;
}

function build(view: View, rules: Rules): object {
  return { rules, dice: view.build.dice.map(dieText), items: view.build.items, levels: view.build.levels };
}

function roundSetup(view: View, rules: Rules): object {
  return { ...build(view, rules), boss: view.boss, fixed: view.fixed };
}

/** Return rolled dice; the boss counts for their score, the die that it fixes does not. */
function rolledDice(view: View, rules: Rules): object {
  return { ...build(view, rules), boss: view.boss };
}

/** Return the question about the score of the present dice; null where there are none. */
export function scoreQuestion(view: View, rules: Rules): object | null {
  if (view.stage !== "choose") return null;
  return { ...rolledDice(view, rules), faces: view.faces };
}

/** Return the question about the score of each of these rolls; null where there are none. */
export function waysQuestion(view: View, rules: Rules, ways: number[][]): object | null {
  if (view.stage !== "choose" || !ways.length) return null;
  return { count: ways.length, same: rolledDice(view, rules), each: { faces: ways } };
}

/** Return the question about hands, prices, and the next round. */
export function buildQuestion(view: View, rules: Rules): object {
  const isShop = view.stage === "shop";
  return { ...build(view, rules), ...(isShop ? { stock: view.stock, round: view.round + 1 } : {}) };
}

/** Return the question about each choice of dice to keep; null where there is none. */
export function keepQuestion(view: View, rules: Rules, aim: "target" | "points"): object | null {
  if (view.stage !== "choose") return null;
  const target = aim === "target" ? view.target : null;
  return { ...roundSetup(view, rules), faces: view.faces, wilds_set: view.wilds_set, rerolls: view.rerolls, target, every_choice: true };
}

/** Return the question about one roll of all dice. */
export function rollQuestion(view: View, rules: Rules, target: number | null): object {
  const setup = view.stage === "choose" ? roundSetup(view, rules) : build(view, rules);
  return { ...setup, target };
}

/** The part of a shop that is asked about: all, all without dice, or the next round alone. */
export type OfferPart = "all" | "without_dice" | "next_round";

/** Return the question about the gain of each offer; null where no shop is open. */
export function shopQuestion(view: View, rules: Rules, part: OfferPart): object | null {
  if (view.stage !== "shop") return null;
  const stock = { ...view.stock, ...(part === "all" ? {} : { dice: [] }), ...(part === "next_round" ? { items: [], upgrades: [] } : {}) };
  return { ...build(view, rules), round: view.round + 1, money: view.money, stock };
}
