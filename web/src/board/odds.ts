/** The odds of a position: the reply of a game's question `odds`, as one row for each action. */
import { get } from "../api/http";
import type { Schema } from "../api/types";
import { fetchOnce } from "../rules/rules_api";
import { resolveRef, type JsonSchema } from "../rules/schema";
import { labelOf } from "./choices";
import { isList, isObject, type GameTypes, type Json, type JsonObject } from "./game_types";

/** The name of the question. */
export const ODDS = "odds";

export type Estimate = { value: string | number; /** Null where the number is exact. */ error: number | null };
export type OddsRow = { key: string; label: string; win: Estimate | null; score: Estimate | null; isBest: boolean };
/** `play` says how all seats go on; null where the reply does not say it. */
export type OddsTable = { rows: readonly OddsRow[]; isExact: boolean; games: number; play: string | null };

/** Whether views in requests have the rules, by game; views in frames have none. */
const VIEWS_WITH_RULES = new Map<string, boolean>();

/** Return whether a game has a question about the odds of what a seat sees; `oddsRequest` can be used then. */
export async function loadOdds(game: string): Promise<boolean> {
  const listed = await fetchOnce(`questions of ${game}`, () => get<Schema<"QuestionSummary">[]>(`/games/${game}/questions`));
  if (!listed.some(({ name }) => name === ODDS)) return false;
  const form = await fetchOnce(`odds of ${game}`, () => get<Schema<"QuestionForm">>(`/games/${game}/questions/${ODDS}`));
  const request = form.request as JsonSchema;
  const view = request.properties?.view;
  if (!view) return false;
  const kinds = (view.anyOf ?? [view]).map((kind) => resolveRef(kind, request));
  VIEWS_WITH_RULES.set(game, kinds.some((kind) => kind.properties?.rules !== undefined));
  return true;
}

/** Return the request about what a seat sees. */
export function oddsRequest(game: string, rules: object, view: object, seat: number): object {
  return { rules, view: VIEWS_WITH_RULES.get(game) ? { ...view, rules } : view, seat };
}

/** Return the rows of a reply; null where it has none that can be read. */
export function readOdds(reply: Json, types: GameTypes, rules: JsonObject): OddsTable | null {
  if (!isObject(reply) || !isList(reply.rows)) return null;
  const isExact = reply.basis === "exact";
  const rows = reply.rows.filter(isObject).map((row, index) => readRow(row, index, isExact, types, rules));
  if (!rows.length) return null;
  return { rows, isExact, games: Number(reply.games ?? 0), play: typeof reply.play === "string" ? reply.play : null };
}

function readRow(row: JsonObject, index: number, isExact: boolean, types: GameTypes, rules: JsonObject): OddsRow {
  const action = row.action ?? null;
  const read = (name: string): Estimate | null => {
    const value = row[name];
    if (typeof value !== "number" && typeof value !== "string") return null;
    return { value, error: isExact ? null : Number(row[`${name}_error`] ?? 0) };
  };
  return { key: String(index), label: action === null ? "" : labelOf(types, action, rules), win: read("win"), score: read("score"), isBest: row.is_best === true };
}
