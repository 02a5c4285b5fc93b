/** The choices of a seat: buttons, cards and dice to pick, or one option of each part. */
import { isList, isObject, schemaOf, type GameTypes, type Json, type JsonObject } from "./game_types";
import { pieceKind, showValue, tagOf, wordsOf, type PieceKind } from "./shown";
import { words } from "./text";

export type Button = { action: Json; label: string };
/** Actions that consist of cards or dice: `faces` has every piece that some action has, as often as one action has it at most. */
export type Picks = { of: PieceKind; actions: readonly { action: Json; faces: readonly Face[] }[]; faces: readonly Face[]; most: number };
/** Actions with the same parts, of which each is one of several options. */
export type Parts = { names: readonly string[]; rows: readonly { action: Json; values: readonly string[] }[] };
export type Choices = { buttons: readonly Button[]; picks: Picks | null; parts: Parts | null };
export type Face = string | number;

/** Where there are more actions than these, those of the same parts are chosen part by part, if there are enough of them. */
const MOST_BUTTONS = 12;
const MOST_ALIKE = 6;

/** Return the choices among the listed actions. */
export function choicesOf(types: GameTypes, actions: readonly Json[], rules: JsonObject): Choices {
  const picked: { of: PieceKind; action: Json; faces: readonly Face[] }[] = [];
  const others: Json[] = [];
  for (const action of actions) {
    const pieces = piecesOf(types, action);
    if (pieces) picked.push({ ...pieces, action });
    else others.push(action);
  }
  const parts = others.length > MOST_BUTTONS ? partsOf(types, others) : null;
  const inParts = new Set(parts?.rows.map(({ action }) => action));
  const buttons = others.filter((action) => !inParts.has(action)).map((action) => ({ action, label: labelOf(types, action, rules) }));
  return { buttons, picks: picksOf(picked), parts };
}

/** Return the label of an action in plain words. */
export function labelOf(types: GameTypes, action: Json, rules: JsonObject): string {
  if (typeof action === "string" && !pieceKind(schemaOf(types.action, action, types.parts))) return words.plain(action);
  return capitalize(actionWords(types, action, rules));
}

/** Return an action as words for the middle of a sentence. */
export function actionWords(types: GameTypes, action: Json, rules: JsonObject): string {
  const { tag, details } = splitAction(types, action, rules);
  return [tag, details].filter((part) => part !== null && part !== "").join(": ");
}

/** Return the tag of a struct, null for other actions, and what else an action says. */
export function splitAction(types: GameTypes, action: Json, rules: JsonObject): { tag: string | null; details: string } {
  const schema = schemaOf(types.action, action, types.parts);
  const shown = showValue(schema, action, { parts: types.parts, rules });
  if (isObject(action)) {
    const tag = tagOf(schema, action);
    return { tag: tag === null ? null : words.inside(tag), details: shown === null ? "" : wordsOf(shown) };
  }
  if (shown === null) return { tag: null, details: words.nothing };
  return { tag: null, details: shown.kind === "text" && schema.enum ? words.inside(String(action)) : wordsOf(shown) };
}

function piecesOf(types: GameTypes, action: Json): { of: PieceKind; faces: readonly Face[] } | null {
  const schema = schemaOf(types.action, action, types.parts);
  if (isList(action)) {
    const items = typeof schema.items === "object" ? schema.items : (schema.prefixItems?.[0] ?? {});
    const of = pieceKind(schema) ?? pieceKind(schemaOf(items, action[0] ?? "", types.parts));
    return of && action.every(isFace) ? { of, faces: action } : null;
  }
  const of = isFace(action) ? pieceKind(schema) : null;
  return of && isFace(action) ? { of, faces: [action] } : null;
}

const isFace = (value: Json): value is Face => typeof value === "string" || typeof value === "number";

function picksOf(actions: readonly { of: PieceKind; action: Json; faces: readonly Face[] }[]): Picks | null {
  const [first] = actions;
  if (!first) return null;
  const most = new Map<Face, number>();
  for (const { faces } of actions) for (const [face, count] of countFaces(faces)) most.set(face, Math.max(most.get(face) ?? 0, count));
  const faces = [...most].flatMap(([face, count]) => Array.from({ length: count }, () => face));
  return { of: first.of, actions, faces, most: Math.max(...actions.map((one) => one.faces.length)) };
}

export function countFaces(faces: readonly Face[]): Map<Face, number> {
  const counts = new Map<Face, number>();
  for (const face of faces) counts.set(face, (counts.get(face) ?? 0) + 1);
  return counts;
}

function contains(whole: readonly Face[], part: readonly Face[]): boolean {
  const counts = countFaces(whole);
  return [...countFaces(part)].every(([face, count]) => (counts.get(face) ?? 0) >= count);
}

/** Return the action that consists of exactly these faces; undefined where none is listed. */
export function findPicked(picks: Picks, faces: readonly Face[]): Json | undefined {
  return picks.actions.find((one) => one.faces.length === faces.length && contains(one.faces, faces))?.action;
}

/** Whether some listed action has these faces, and perhaps more. */
export function canPick(picks: Picks, faces: readonly Face[]): boolean {
  return picks.actions.some((one) => contains(one.faces, faces));
}

/** Whether a row of pieces has all that can be picked. */
export function hasAllFaces(picks: Picks, row: readonly (Face | null)[]): boolean {
  return contains(row.filter((face) => face !== null), picks.faces);
}

/** Return the parts of those actions of which there are most with the same ones; null where there are few of them. */
function partsOf(types: GameTypes, actions: readonly Json[]): Parts | null {
  const groups = new Map<string, Json[]>();
  for (const action of actions) {
    const entries = entriesOf(action);
    if (!entries || entries.length < 2) continue;
    const tag = isObject(action) ? tagOf(schemaOf(types.action, action, types.parts), action) : null;
    const key = JSON.stringify([tag, entries.map(([name]) => name)]);
    groups.set(key, [...(groups.get(key) ?? []), action]);
  }
  const [found] = [...groups.values()].sort((one, other) => other.length - one.length);
  if (!found || found.length <= MOST_ALIKE) return null;
  const rows = found.map((action) => new Map(entriesOf(action)!));
  const names = [...rows[0]!.keys()].filter((name) => new Set(rows.map((row) => row.get(name))).size > 1);
  const isListed = isList(found[0]);
  return {
    names: names.map((name) => (isListed ? words.dock.part(Number(name) + 1) : words.plain(name))),
    rows: rows.map((row, index) => ({ action: found[index]!, values: names.map((name) => optionLabel(row.get(name)!)) })),
  };
}

/** Return the properties of an object or the places of a list, if all are single values. */
function entriesOf(action: Json): [string, Json][] | null {
  if (!isList(action) && !isObject(action)) return null;
  const entries = Object.entries(action);
  return entries.some(([, value]) => isList(value) || isObject(value)) ? null : entries;
}

function optionLabel(value: Json): string {
  return typeof value === "boolean" ? (value ? words.yes : words.no) : value === null ? words.nothing : typeof value === "string" ? words.plain(value) : String(value);
}

/** Return the options of a part, after what was chosen of the parts before it. */
export function optionsOf(parts: Parts, chosen: readonly string[]): string[] {
  const left = parts.rows.filter(({ values }) => chosen.every((value, place) => values[place] === value));
  return [...new Set(left.map(({ values }) => values[chosen.length]!))];
}

/** Return the action with these values of all parts; undefined where some are still to be chosen. */
export function findByParts(parts: Parts, chosen: readonly string[]): Json | undefined {
  if (chosen.length < parts.names.length) return undefined;
  return parts.rows.find(({ values }) => values.every((value, place) => value === chosen[place]))?.action;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
