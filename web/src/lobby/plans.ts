/** A match before it is opened: who shall sit where, and what it is opened with. */
import type { GivenRules, Opening } from "../api/matches";
import type { GameSummary } from "../api/types";

export type Sitter = { who: "me" } | { who: "friend" } | { who: "bot"; bot: string };
export type Clock = { choice_seconds: number; bank_seconds: number };
export type Plan = {
  game: string;
  rules: GivenRules;
  sitters: readonly Sitter[];
  clock: Clock | null;
  isPrivate: boolean;
  /** The seed of a practice; null where luck is the server's. */
  practice: string | null;
};

export const SEED = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Return the bot that a seat gets unless another is chosen. */
export function usualBot(listed: GameSummary): string {
  return listed.bots.includes(listed.default_bot) ? listed.default_bot : (listed.bots[0] ?? "random");
}

/** Return who usually sits at a game: bots in the roles, one person, a friend if wanted and possible, and as many bots as the game needs more. */
export function usualSitters(listed: GameSummary, { withFriend }: { withFriend: boolean }): Sitter[] {
  const { fewest, most } = listed.seats;
  const bot: Sitter = { who: "bot", bot: usualBot(listed) };
  const sitters: Sitter[] = [...listed.roles.map(() => bot), { who: "me" }];
  if (withFriend && sitters.length < most) sitters.push({ who: "friend" });
  while (sitters.length < fewest) sitters.push(bot);
  return sitters;
}

/** Return the seats with one more or less: who comes is a bot, who goes last is the last that is not you. */
export function resized(sitters: readonly Sitter[], count: number, listed: GameSummary): Sitter[] {
  const next = [...sitters];
  while (next.length < count) next.push({ who: "bot", bot: usualBot(listed) });
  while (next.length > count) next.splice(Math.max(next.findLastIndex((sitter) => sitter.who !== "me"), 0), 1);
  return next;
}

/** Return the seats with somebody else in one; you sit in one seat at most, and leave the other to a friend. */
export function seated(sitters: readonly Sitter[], seat: number, sitter: Sitter): Sitter[] {
  return sitters.map((one, other) => {
    if (other === seat) return sitter;
    return sitter.who === "me" && one.who === "me" ? sitters[seat]! : one;
  });
}

/** Return the seat that is yours, null where you watch. */
export function mySeat(sitters: readonly Sitter[]): number | null {
  const seat = sitters.findIndex((sitter) => sitter.who === "me");
  return seat < 0 ? null : seat;
}

export function friends(sitters: readonly Sitter[]): number {
  return sitters.filter((sitter) => sitter.who === "friend").length;
}

/** Whether a seed may be chosen: no more than one person plays. */
export function canPractise(sitters: readonly Sitter[]): boolean {
  return sitters.filter((sitter) => sitter.who !== "bot").length <= 1;
}

/** Return what the server is asked for. */
export function openingOf(plan: Plan): Opening {
  return {
    game: plan.game,
    seats: plan.sitters.map((sitter) => (sitter.who === "bot" ? sitter.bot : null)),
    rules: plan.rules,
    ...(plan.clock ? { clock: plan.clock } : {}),
    ...(plan.isPrivate ? { private: true } : {}),
    ...(plan.practice !== null && canPractise(plan.sitters) ? { practice: plan.practice } : {}),
  };
}
