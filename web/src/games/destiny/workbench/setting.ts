/** The workbench setting of the Destiny Deck: character, target, and opponent. */
import type { Rules } from "../../../rules/changes";
import { either, has, isNothing, isNumber, isText, listOf, tableOf } from "../../../workbench/shapes";

export type Sheet = {
  skills: Record<string, number>;
  bonuses: Record<string, number>;
  items: string[];
  location: string | null;
  buffs: Record<string, number>;
};
/** An outlaw or NPC of the rules by name, or a custom sheet. */
export type Who = string | Sheet;

export type DestinySetting = {
  who: Who;
  foe: Who;
  /** The name of a crime or a check, or a threshold. */
  target: string | number;
  /** The defence bonus of a territory. */
  territory: number;
  /** The skill of the curve. */
  skill: string;
  /** The members of both sides of a gang war, by kind. */
  gang: Record<string, number>;
  foes: Record<string, number>;
};

const isSheet = has<Sheet>({
  skills: tableOf(isNumber),
  bonuses: tableOf(isNumber),
  items: listOf(isText),
  location: either(isText, isNothing),
  buffs: tableOf(isNumber),
});
const isWho = either(isText, isSheet);

export const fits = has<DestinySetting>({
  who: isWho,
  foe: isWho,
  target: either(isText, isNumber),
  territory: isNumber,
  skill: isText,
  gang: tableOf(isNumber),
  foes: tableOf(isNumber),
});

export const start = (): DestinySetting => ({
  who: "calamity_rose",
  foe: "veteran",
  target: "bank_robbery",
  territory: 0,
  skill: "lockpicking",
  gang: { calamity_rose: 1, iron_jack: 1 },
  foes: { veteran: 2 },
});

const EMPTY: Sheet = { skills: {}, bonuses: {}, items: [], location: null, buffs: {} };

/** Return the sheet of a character; null for an NPC, whose numbers follow from its level. */
export function sheetOf(who: Who, rules: Rules): Sheet | null {
  if (typeof who !== "string") return who;
  const known = (rules.outlaws as Record<string, Partial<Sheet>> | undefined)?.[who];
  return known ? { ...EMPTY, ...known } : null;
}

/** Return the threshold of a target; null where its name is unknown. */
export function thresholdOf(target: string | number, rules: Rules): number | null {
  if (typeof target === "number") return target;
  const crimes = rules.crimes as Record<string, { threshold: number }>;
  const checks = rules.skill_checks as Record<string, number>;
  return crimes[target]?.threshold ?? checks[target] ?? null;
}

/** Return the members of a side, one name each. */
export function membersOf(counts: Record<string, number>): string[] {
  return Object.entries(counts).flatMap(([name, count]) => Array.from({ length: Math.max(0, Math.floor(count)) }, () => name));
}

/** Return a character without a skill; a curve sets its level, so characters that differ in it share a curve. */
export function withoutSkill(who: Who, skill: string): Who {
  if (typeof who === "string") return who;
  const { [skill]: _, ...skills } = who.skills;
  return { ...who, skills };
}

/** Return levels from 0 to the highest, evenly spaced. */
export function levelsOf(most: number, points = 21): number[] {
  const step = Math.max(1, Math.ceil(most / (points - 1)));
  const levels = Array.from({ length: Math.floor(most / step) + 1 }, (_, index) => index * step);
  return levels.at(-1) === most ? levels : [...levels, most];
}
