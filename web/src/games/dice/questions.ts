/** Questions to the server about a run, made from what its view shows; the server answers from the rules. */
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

/** Write a die as the rules do: "glass+2". */
export function dieText(die: PoolDie): string {
  return die.level ? `${die.kind}+${die.level}` : die.kind;
}

function build(view: View, rules: Rules): object {
  return { rules, dice: view.build.dice.map(dieText), items: view.build.items, levels: view.build.levels };
}

function table(view: View, rules: Rules): object {
  return { ...build(view, rules), boss: view.boss, fixed: view.fixed };
}

/** Dice whose faces are known: the boss matters to their score, the die that it holds does not. */
function lying(view: View, rules: Rules): object {
  return { ...build(view, rules), boss: view.boss };
}

/** What the dice score as they lie; null while there are none on the table. */
export function scoreQuestion(view: View, rules: Rules): object | null {
  if (view.stage !== "choose") return null;
  return { ...lying(view, rules), faces: view.faces };
}

/** What the dice score if they lie in each of these ways; null where there are none. */
export function waysQuestion(view: View, rules: Rules, ways: number[][]): object | null {
  if (view.stage !== "choose" || !ways.length) return null;
  return { count: ways.length, same: lying(view, rules), each: { faces: ways } };
}

/** What hands score with, what the stock costs, and what the next round asks for. */
export function buildQuestion(view: View, rules: Rules): object {
  const isShop = view.stage === "shop";
  return { ...build(view, rules), ...(isShop ? { stock: view.stock, round: view.round + 1 } : {}) };
}

/** What each choice of dice to keep is worth, for the target or for points; null while there is nothing to keep. */
export function keepQuestion(view: View, rules: Rules, aim: "target" | "points"): object | null {
  if (view.stage !== "choose") return null;
  const target = aim === "target" ? view.target : null;
  return { ...table(view, rules), faces: view.faces, wilds_set: view.wilds_set, rerolls: view.rerolls, target, every_choice: true };
}

/** What one roll of all dice makes. */
export function rollQuestion(view: View, rules: Rules, target: number | null): object {
  const held = view.stage === "choose" ? table(view, rules) : build(view, rules);
  return { ...held, target };
}

/** Which things of a shop are asked about: all, all but the dice, or next to nothing but how the next round goes. */
export type OfferPart = "all" | "without_dice" | "next_round";

/** What each thing on offer adds to the chance to win the next round; null where no shop is open. */
export function shopQuestion(view: View, rules: Rules, part: OfferPart): object | null {
  if (view.stage !== "shop") return null;
  const stock = { ...view.stock, ...(part === "all" ? {} : { dice: [] }), ...(part === "next_round" ? { items: [], upgrades: [] } : {}) };
  return { ...build(view, rules), round: view.round + 1, money: view.money, stock };
}
