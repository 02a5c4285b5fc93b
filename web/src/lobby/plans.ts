/** The settings of a match before it is opened: seats, rules, clock, seed. */
import { lobbyOf } from "../games";
import type { GivenRules, OpenMatchRequest } from "../api/matches";
import type { GameSummary } from "../api/types";

export type Occupant = { who: "me" } | { who: "friend" } | { who: "bot"; bot: string };
export type Clock = { choice_seconds: number; bank_seconds: number };
export type Plan = {
  game: string;
  rules: GivenRules;
  occupants: readonly Occupant[];
  clock: Clock | null;
  isPrivate: boolean;
  /** The seed of a practice match; null where the server draws. */
  practice: string | null;
};

export const SEED = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Return the default bot of a game. */
export function defaultBot(game: GameSummary): string {
  return game.bots.includes(game.default_bot) ? game.default_bot : (game.bots[0] ?? "random");
}

/** Return the preset with which a new match of a game opens. */
export function openingPreset(game: string): string {
  return lobbyOf(game).opening?.preset ?? "default";
}

/** Return the default seats of a game: bots in the roles, the user, a friend if wanted, and bots up to the wanted number. */
export function defaultOccupants(game: GameSummary, { withFriend }: { withFriend: boolean }): Occupant[] {
  const { fewest, most } = game.seats;
  const bot: Occupant = { who: "bot", bot: defaultBot(game) };
  const occupants: Occupant[] = [...game.roles.map(() => bot), { who: "me" }];
  if (withFriend && occupants.length < most) occupants.push({ who: "friend" });
  const wanted = Math.min(Math.max(fewest, lobbyOf(game.game).opening?.seats ?? fewest), most);
  while (occupants.length < wanted) occupants.push(bot);
  return occupants;
}

/** Return `count` seats: added ones are bots, and the last that is not the user's is removed first. */
export function resizeSeats(occupants: readonly Occupant[], count: number, game: GameSummary): Occupant[] {
  const next = [...occupants];
  while (next.length < count) next.push({ who: "bot", bot: defaultBot(game) });
  while (next.length > count) next.splice(Math.max(next.findLastIndex((occupant) => occupant.who !== "me"), 0), 1);
  return next;
}

/** Return the seats with another occupant in one; the user has one seat at most, and swaps with its occupant. */
export function assignSeat(occupants: readonly Occupant[], seat: number, occupant: Occupant): Occupant[] {
  return occupants.map((one, other) => {
    if (other === seat) return occupant;
    return occupant.who === "me" && one.who === "me" ? occupants[seat]! : one;
  });
}

/** Return the user's seat; null for a spectator. */
export function mySeat(occupants: readonly Occupant[]): number | null {
  const seat = occupants.findIndex((occupant) => occupant.who === "me");
  return seat < 0 ? null : seat;
}

export function countFriends(occupants: readonly Occupant[]): number {
  return occupants.filter((occupant) => occupant.who === "friend").length;
}

/** Whether a seed may be chosen: at most one person plays. */
export function canPractise(occupants: readonly Occupant[]): boolean {
  return occupants.filter((occupant) => occupant.who !== "bot").length <= 1;
}

/** Return the request that opens the match. */
export function openRequest(plan: Plan): OpenMatchRequest {
  return {
    game: plan.game,
    seats: plan.occupants.map((occupant) => (occupant.who === "bot" ? occupant.bot : null)),
    rules: plan.rules,
    ...(plan.clock ? { clock: plan.clock } : {}),
    ...(plan.isPrivate ? { private: true } : {}),
    ...(plan.practice !== null && canPractise(plan.occupants) ? { practice: plan.practice } : {}),
  };
}
