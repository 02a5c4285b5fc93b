/** Names of seats, matches, presets and bots: from a game's folder, else from the server's names. */
import { games } from "../api/games.svelte";
import { lobbyOf } from "../games";
import { label } from "../rules/changes";
import { words } from "../text";

export function seatName(game: string, seat: number, seats: number): string {
  const roles = games.roles(game);
  const role = roles[seat];
  return (
    lobbyOf(game).words.seat?.(seat, seats) ?? (role === undefined ? words.lobby.player(seat - roles.length + 1) : words.lobby.role(role))
  );
}

/** Return a sentence about a match with this number of seats. */
export function matchLine(game: string, seats: number): string {
  return lobbyOf(game).words.match?.(seats) ?? games.find(game)?.summary ?? "";
}

export function presetName(game: string, preset: string): string {
  return lobbyOf(game).words.presets?.[preset] ?? label(preset);
}

export function botName(game: string, bot: string): string {
  return botWords(game, bot)?.name ?? bot;
}

/** Return how a bot plays; empty where it is not described. */
export function botLine(game: string, bot: string): string {
  return botWords(game, bot)?.does ?? "";
}

function botWords(game: string, bot: string): { name: string; does: string } | undefined {
  return lobbyOf(game).words.bots?.[bot] ?? words.lobby.bots[bot];
}
