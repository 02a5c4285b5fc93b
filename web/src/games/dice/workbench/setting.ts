/** The workbench setting of Dice Hands: dice, target, and rerolls. */
import type { Rules } from "../../../rules/changes";
import { either, has, isNothing, isNumber, isText, listOf, tableOf } from "../../../workbench/shapes";

export type DiceSetting = {
  /** Dice such as "glass+2"; null is the pool of the rules. */
  dice: string[] | null;
  items: string[];
  levels: Record<string, number>;
  boss: string | null;
  /** The die that the lockdown holds, from 0, and its face. */
  held: number;
  face: number;
  target: number;
  rerolls: number;
};

export const MOST_DICE = 10;

export const fits = has<DiceSetting>({
  dice: either(listOf(isText), isNothing),
  items: listOf(isText),
  levels: tableOf(isNumber),
  boss: either(isText, isNothing),
  held: isNumber,
  face: isNumber,
  target: isNumber,
  rerolls: isNumber,
});

export const start = (): DiceSetting => ({ dice: null, items: [], levels: {}, boss: null, held: 0, face: 1, target: 90, rerolls: 3 });

export function diceOf(setting: DiceSetting, rules: Rules): string[] {
  return setting.dice ?? (rules.pool as string[]);
}

/** Return the bosses that may come, and the one that is set. */
export function bossesOf(setting: DiceSetting, rules: Rules): string[] {
  const { kinds } = rules.bosses as { kinds: string[] };
  return [...new Set([...kinds, ...(setting.boss === null ? [] : [setting.boss])])];
}

/** Read "glass+2": a kind and a level. */
export function readDie(text: string): { kind: string; level: number } {
  const [kind = "", level = "0"] = text.split("+");
  return { kind, level: Number(level) || 0 };
}

export function dieText(kind: string, level: number): string {
  return level ? `${kind}+${level}` : kind;
}

/** Return a pool as text: "5 × normal". */
export function poolText(dice: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const die of dice) counts.set(die, (counts.get(die) ?? 0) + 1);
  return [...counts].map(([die, count]) => (count > 1 ? `${count} × ${die}` : die)).join(", ");
}

/** Return the question about a roll; with rerolls, the reply has the plan. */
export function questionOf(setting: DiceSetting, rules: unknown, asks: { target: boolean; rerolls: boolean }): object {
  return {
    rules,
    dice: setting.dice,
    items: setting.items,
    levels: setting.levels,
    boss: setting.boss,
    fixed: setting.boss === "lockdown" ? { place: setting.held, face: setting.face } : null,
    target: asks.target ? setting.target : null,
    rerolls: asks.rerolls ? setting.rerolls : null,
  };
}
