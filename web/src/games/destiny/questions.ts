/** What the table asks the server about: a run as it is shown, the roster, totals, and hands that lie on the table. */
import type { AnyRules, Schema } from "../../api/types";

export type Rules = AnyRules["destiny"];
export type RunView = Schema<"destiny.RunView">;
export type ContestView = Schema<"destiny.ContestView">;
export type RunReply = Schema<"destiny.RunReply">;
export type RosterReply = Schema<"destiny.RosterReply">;
export type Prospect = Schema<"destiny.OutlawProspect">;
export type CrimeProspect = Schema<"destiny.CrimeProspect">;
export type OutlawSheet = Schema<"destiny.OutlawSheet">;
export type Totals = Schema<"destiny.CheckOddsReply">;
export type Action = Schema<"destiny.RunChoice">["action"];

export const RUN = "/destiny/run";
export const ROSTER = "/destiny/roster";
export const ODDS = "/destiny/odds";
export const CONTEST = "/destiny/contest";

/** What each choice of a run comes to; at another place, if one is named. */
export const runQuestion = (rules: Rules, view: RunView, place = view.place): object => ({ rules, view: { ...view, viewer: null, place } });

export const rosterQuestion = (rules: Rules): object => ({ rules });

/** Every total that this outlaw can draw here and now. */
export const totalsQuestion = (rules: Rules, prospect: Prospect, crime: string): object => ({
  rules,
  character: prospect.character,
  at: prospect.at,
  target: crime,
  full: true,
});

/** How a contest is decided whose hands lie on the table. */
export const contestQuestion = (rules: Rules, attacker: string, defender: string, hands: string[][]): object => ({
  rules,
  attacker,
  defender,
  hands,
});

/** Say whether two actions are the same choice. */
export function isSame(one: Action, other: Action): boolean {
  return JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort());
}
