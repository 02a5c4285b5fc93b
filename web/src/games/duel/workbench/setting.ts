/** What is set for the Combat Duel: who fights how, or which hand is split. */
import { either, has, isNothing, isNumber, isText, listOf } from "../../../workbench/shapes";

export const POLICIES = ["all_attack", "all_defense", "random", "best_trade"] as const;
export type Policy = (typeof POLICIES)[number];

export type DuelSetting = {
  policies: string[];
  /** Whose rounds are drawn. */
  policy: string;
  /** What perfect play wants most; null does not ask for it. */
  perfect: string | null;
  hand: string[];
  /** The attack and the defence that the house shows. */
  attack: number;
  defense: number;
  /** Hit points left; null is all of them. */
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

/** Return the question about the splits of a hand; null while the hand is not whole. */
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
