/** Teams of a duel: which seats fight together, whom a fighter attacks, and what is asked about a round. */
import type { Actions, AnyRules, Schema } from "../../api/types";
import type { Table } from "../../match/table.svelte";
import { samePlaces, type Draft } from "./splits";

export type TeamView = Schema<"duel.TeamView">;
export type TeamFighter = Schema<"duel.TeamFighterView">;
export type TeamBlow = Schema<"duel.TeamBlow">;
export type TeamRoundReply = Schema<"duel.TeamRoundReply">;
type Action = Actions["duel"];
type Rules = AnyRules["duel"];

export const TEAM_ROUND = "/duel/team_round";

/** Return the name of a fighter, with its number where others have the same name. */
export function fighterTitle(seat: number, table: Table<"duel">): string {
  const { chairs } = table.frame;
  const name = table.name(seat);
  return chairs.filter((chair) => chair.name === chairs[seat]?.name).length > 1 ? `${name} ${seat + 1}` : name;
}

/** Return the seats of the side of a seat, itself among them. */
export function sideSeats(seat: number, size: number): number[] {
  const first = seat < size ? 0 : size;
  return Array.from({ length: size }, (_, place) => first + place);
}

/** Return the seats of the living opponents of a seat: the one opposite, then the next of its side in turn. */
export function livingOpponents(seat: number, hps: readonly number[], size: number): number[] {
  const others = sideSeats(seat < size ? size : 0, size);
  const place = seat % size;
  return [...others.slice(place), ...others.slice(0, place)].filter((other) => (hps[other] ?? 0) > 0);
}

/** Return the next action towards a split, a target and the fight; null where that is not legal. */
export function nextAction(actions: readonly Action[], own: TeamFighter, draft: Draft, target: number | null, chosen: number | null): Action | null {
  const selects = actions.find((action) => action.type === "select_defense" && samePlaces(action.card_indices, draft));
  if (selects && !samePlaces(own.defense ?? [], draft)) return selects;
  const aims = actions.find((action) => action.type === "select_target" && action.seat === target);
  if (aims && target !== chosen) return aims;
  return actions.find((action) => action.type === "execute_turn") ?? null;
}

/** Return the question about a round in which the hand of one seat is known, if any, and all others make the best trade. */
export function teamQuestion(rules: Rules, view: TeamView, known: { seat: number; hand: readonly string[]; draft: Draft; target: number | null } | null): object {
  const fighters = view.fighters.map(({ hp }, seat) =>
    known?.seat === seat ? { hp, hand: known.hand, defense: known.draft.map((place) => known.hand[place]), target: known.target } : { hp },
  );
  return { rules, round: view.round, fighters };
}
