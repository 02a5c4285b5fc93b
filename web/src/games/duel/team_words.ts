/** Events and results of a team duel in words. */
import type { Schema } from "../../api/types";
import type { Table } from "../../match/table.svelte";
import { fighterTitle, sideSeats } from "./teams";
import { words } from "./text";

const labels = words.team;

export function describeTarget(event: Schema<"duel.Targeted">, table: Table<"duel">): string | null {
  return isViewer(event.seat, table) ? null : labels.attacks(fighterTitle(event.seat, table), nameOf(event.target, table));
}

export function describeBlows(event: Schema<"duel.TeamExchanged">, table: Table<"duel">): string {
  const blows = event.blows.map((blow) => labels.blow(subject(blow.seat, table), blow.dealt, nameOf(blow.target, table)));
  const fallen = event.blows.filter(({ hp }) => hp === 0).map(({ seat }) => labels.falls(subject(seat, table)));
  return [`${labels.roundOf(event.round)}: ${blows.join("; ")}.`, ...fallen].join(" ");
}

/** Return the result of a team duel, from the view of a fighter or of a spectator. */
export function teamVerdict(result: Schema<"duel.Result">, table: Table<"duel">): string {
  if (result.winner === null) return words.results.draw;
  const { size } = table.rules.teams;
  const winners = sideSeats(result.winner * size, size);
  if (table.viewer === null || table.isReplay) return labels.win(winners.map((seat) => fighterTitle(seat, table)));
  return winners.includes(table.viewer) ? words.results.victory : words.results.defeat;
}

function subject(seat: number, table: Table<"duel">): string {
  return isViewer(seat, table) ? words.you : fighterTitle(seat, table);
}

function nameOf(seat: number, table: Table<"duel">): string {
  return isViewer(seat, table) ? words.events.victim.you : fighterTitle(seat, table);
}

function isViewer(seat: number, table: Table<"duel">): boolean {
  return seat === table.viewer && !table.isReplay;
}
