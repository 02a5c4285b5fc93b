/** Events of a duel in words. */
import type { Schema } from "../../api/types";
import { cardName } from "../../design/cards";
import type { LogEvent, Table } from "../../match/table.svelte";
import { viewOf } from "./corners";
import { describeBlows, describeTarget, teamVerdict } from "./team_words";
import { words } from "./text";

const labels = words.events;

export function describe(entry: LogEvent<"duel">, table: Table<"duel">): string | null {
  const { event } = entry;
  switch (event.event) {
    case "dealt":
      return describeDeal(event, table);
    case "readied":
      return labels.readied(event.attack.total, event.defense.total);
    case "selected":
      return null;
    case "committed":
      return isViewer(event.seat, table) ? labels.committedYou : labels.committed(subject(event.seat, table));
    case "exchanged":
      return labels.exchanged(event.round, describeBlow(event, 0, table), describeBlow(event, 1, table));
    case "targeted":
      return describeTarget(event, table);
    case "team_exchanged":
      return describeBlows(event, table);
    case "reshuffled":
      return event.seat === 0 ? labels.reshuffled : null;
    case "ended":
      return describeEnd(event.result, table);
  }
}

/** Return the result of a duel, from the view of a fighter or a spectator. */
export function verdict(result: Schema<"duel.Result">, table: Table<"duel">): string {
  if (table.view?.type === "team") return teamVerdict(result, table);
  const { results } = words;
  if (result.winner === null) return result.why === "flight" && isHouse(table) ? results.fled : results.draw;
  if (table.viewer === null || table.isReplay) return results.wins(subject(result.winner, table));
  return result.winner === table.viewer ? results.victory : results.defeat;
}

/** The hand of the house is described with its split. */
function describeDeal(event: Schema<"duel.Dealt">, table: Table<"duel">): string | null {
  if (event.seat === 1 && isHouse(table)) return null;
  const cards = event.hand.map(cardName).join(", ");
  return isViewer(event.seat, table) ? labels.dealtYou(cards) : labels.dealt(subject(event.seat, table), cards);
}

function describeEnd(result: Schema<"duel.Result">, table: Table<"duel">): string {
  const line = labels.ended(verdict(result, table), words.results.why[result.why] ?? result.why);
  return isHouse(table) ? line + labels.pays(result.score, result.gold, result.experience) : line;
}

function describeBlow(event: Schema<"duel.Exchanged">, corner: 0 | 1, table: Table<"duel">): string {
  const other = corner === 0 ? 1 : 0;
  const victim = isViewer(other, table) ? labels.victim.you : other === 1 && isHouse(table) ? labels.victim.house : table.name(other);
  return labels.blow(subject(corner, table), event.blows[corner].dealt, victim, event.blows[other].hp);
}

function subject(corner: number, table: Table<"duel">): string {
  if (isViewer(corner, table)) return words.you;
  return corner === 1 && isHouse(table) ? words.house : table.name(corner);
}

/** In a replay, both fighters have their names. */
function isViewer(corner: number, table: Table<"duel">): boolean {
  return corner === table.viewer && !table.isReplay;
}

function isHouse(table: Table<"duel">): boolean {
  return viewOf(table)?.house ?? table.frame.chairs.length === 1;
}
