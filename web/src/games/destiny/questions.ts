/** Questions to the server: a run, the roster, totals, a contest, and a gang war. */
import type { AnyRules, Schema } from "../../api/types";

export type Rules = AnyRules["destiny"];
export type RunView = Schema<"destiny.RunView">;
export type ContestView = Schema<"destiny.ContestView">;
export type GangView = Schema<"destiny.GangView">;
export type Drawing = Schema<"destiny.Drawing">;
export type RunReply = Schema<"destiny.RunReply">;
export type RosterReply = Schema<"destiny.RosterReply">;
export type Prospect = Schema<"destiny.OutlawProspect">;
export type CrimeProspect = Schema<"destiny.CrimeProspect">;
export type OutlawSheet = Schema<"destiny.OutlawSheet">;
export type Totals = Schema<"destiny.CheckOddsReply">;
export type GangOdds = Schema<"destiny.GangOddsReply">;
export type NpcProspect = Schema<"destiny.NpcProspect">;
export type WarReply = Schema<"destiny.RunWarReply">;
export type CheckView = Schema<"destiny.CheckView">;
export type CheckMatch = Schema<"destiny.CheckMatchReply">;
export type RunValue = Schema<"destiny.RunValue">;
export type RunValues = Schema<"destiny.RunValuesReply">;
export type Action = Schema<"destiny.RunChoice">["action"];

export const RUN = "/destiny/run";
export const ROSTER = "/destiny/roster";
export const ODDS = "/destiny/odds";
export const CONTEST = "/destiny/contest";
export const GANG = "/destiny/gang";
export const RUN_WAR = "/destiny/run_war";
export const RUN_VALUES = "/destiny/run_values";
export const CHECK_MATCH = "/destiny/check_match";

/** Return the question about the choices of a run, or about their values. */
export const runQuestion = (rules: Rules, view: RunView): object => ({ rules, view: { ...view, viewer: null } });

export const rosterQuestion = (rules: Rules): object => ({ rules });

/** Return the rules without exchanges: odds on the page are those of hands as they are dealt. */
export const asDealt = (rules: Rules): Rules => ({ ...rules, redraws: { ...rules.redraws, times: 0 } });

/** Return the question about all totals of a crime. */
export const totalsQuestion = (rules: Rules, prospect: Prospect, crime: string): object => ({
  rules: asDealt(rules),
  character: prospect.character,
  at: prospect.at,
  target: crime,
  full: true,
});

/** Return the question that scores the hands of a contest. */
export const contestQuestion = (rules: Rules, attacker: string, defender: string, hands: string[][]): object => ({
  rules,
  attacker,
  defender,
  hands,
});

/** Return the question about the odds of a war between the two gangs of a view. */
export const gangQuestion = (rules: Rules, view: GangView): object => ({
  rules: asDealt(rules),
  attackers: view.gangs[0],
  defenders: view.gangs[1],
  defense_bonus: rules.match === "defense" ? rules.territory_bonus : "0",
});

/** The most members a side whose war a server counts. */
export const MOST_COUNTED = 7;

/** Return the question about the wars of a run's gang against NPCs of a tier. */
export const warQuestion = (rules: Rules, view: RunView, npc: string): object => ({ rules, view: { ...view, viewer: null }, npc });

/** Whether two actions are equal. */
export function isSame(one: Action, other: Action): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}
