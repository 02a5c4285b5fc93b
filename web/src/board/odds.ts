/** The odds of a position: the reply of a game's question `odds`, as one row for each action. */
import { labelOf } from "./choices";
import { isList, isObject, type GameTypes, type Json, type JsonObject } from "./game_types";

/** The name of the question. */
export const ODDS = "odds";

/** A row of the panel: numbers as the server sends them; an error is null where the number is exact. */
export type OddsRow = { key: string; label: string; win: Estimate | null; score: Estimate | null };
export type Estimate = { value: string | number; error: number | null };
export type OddsTable = { rows: readonly OddsRow[]; isExact: boolean };

/** Return the request about a position that a seat sees. */
export const oddsQuestion = (rules: object, view: object, seat: number | null): object => ({ rules, view, ...(seat === null ? {} : { seat }) });

/** Return the rows of a reply; null where it has none that can be read. */
export function readOdds(reply: Json, types: GameTypes, rules: JsonObject): OddsTable | null {
  if (!isObject(reply)) return null;
  const listed = [reply.actions, reply.rows, reply.odds].find(isList);
  if (!listed) return null;
  const rows = listed.filter(isObject).map((row, index) => readRow(row, index, types, rules));
  if (!rows.length) return null;
  const isExact = rows.every((row) => [row.win, row.score].every((one) => one === null || one.error === null));
  return { rows, isExact };
}

function readRow(row: JsonObject, index: number, types: GameTypes, rules: JsonObject): OddsRow {
  const { action = null } = row;
  const label = action === null ? "" : labelOf(types, action, rules);
  return { key: String(index), label, win: readNumber(row, "win"), score: readNumber(row, "score") };
}

/** Read a number: itself, or an object with its `value` or `chance`; its error is in that object, or beside it as `…_error`. */
function readNumber(row: JsonObject, name: string): Estimate | null {
  const given = row[name] ?? null;
  const beside = row[`${name}_error`] ?? null;
  const inside = isObject(given) ? (given.error ?? null) : null;
  const value = isObject(given) ? (given.value ?? given.chance ?? null) : given;
  if (typeof value !== "number" && typeof value !== "string") return null;
  const error = beside ?? inside;
  return { value, error: error === null ? null : Number(error) };
}
