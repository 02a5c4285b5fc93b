/** The workbench setting of the Combat Duel: policies, or a hand to split. */
import { either, has, isNothing, isNumber, isText, listOf } from "../../../workbench/shapes";

export const POLICIES = ["all_attack", "all_defense", "random", "best_trade", "four_one", "balanced", "defensive"] as const;
export type Policy = (typeof POLICIES)[number];

export type DuelSetting = {
  policies: string[];
  /** The policy whose rounds are drawn. */
  policy: string;
  /** The objective of perfect play; null to omit it. */
  perfect: string | null;
  hand: string[];
  /** The visible attack and defence of the house. */
  attack: number;
  defense: number;
  /** Hit points left; null for all. */
  hp: number | null;
  enemyHp: number | null;
  round: number;
};

export const fits = has<DuelSetting>({
  policies: listOf(isText),
  policy: isText,
  perfect: either(isText, isNothing),
  hand: listOf(isText),
  attack: isNumber,
  defense: isNumber,
  hp: either(isNumber, isNothing),
  enemyHp: either(isNumber, isNothing),
  round: isNumber,
});

export const start = (): DuelSetting => ({
  policies: ["all_attack", "all_defense"],
  policy: "all_attack",
  perfect: null,
  hand: ["10♠", "7♥", "5♣", "A♦", "3♠"],
  attack: 25,
  defense: 10,
  hp: null,
  enemyHp: null,
  round: 1,
});

export const HAND = 5;

/** Return the question about the splits of a hand; null where the hand is incomplete. */
export function splitQuestion(setting: DuelSetting, rules: unknown, visible: boolean): object | null {
  if (setting.hand.length !== HAND) return null;
  return {
    rules,
    hand: setting.hand,
    hp: setting.hp,
    enemy_hp: setting.enemyHp,
    round: setting.round,
    enemy_attack: visible ? setting.attack : null,
    enemy_defense: visible ? setting.defense : null,
    objective: setting.perfect,
  };
}
