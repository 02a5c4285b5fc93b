/** The choices of a seat: buttons, cards and dice to pick, or one option of each part. */
import { isList, isObject, schemaOf, type GameTypes, type Json, type JsonObject } from "./game_types";
import { pieceKind, showValue, wordsOf, type PieceKind } from "./shown";
import { words } from "./text";

export type Button = { action: Json; label: string };
/** Actions that consist of cards or dice: `faces` has every piece that some action has, as often as one action has it at most. */
export type Picks = { of: PieceKind; actions: readonly { action: Json; faces: readonly Face[] }[]; faces: readonly Face[]; most: number };
/** Actions with the same parts, of which each is one of several options. */
export type Parts = { names: readonly string[]; rows: readonly { action: Json; values: readonly string[] }[] };
export type Choices = { buttons: readonly Button[]; picks: Picks | null; parts: Parts | null };
export type Face = string | number;

/** More actions than these, with the same parts, are chosen part by part. */
const MOST_BUTTONS = 12;

/** Return the choices among the listed actions. */
export function choicesOf(types: GameTypes, actions: readonly Json[], rules: JsonObject): Choices {
  const picked: { of: PieceKind; action: Json; faces: readonly Face[] }[] = [];
  const others: Json[] = [];
  for (const action of actions) {
    const pieces = piecesOf(types, action);
    if (pieces) picked.push({ ...pieces, action });
    else others.push(action);
  }
  const parts = others.length > MOST_BUTTONS ? partsOf(others) : null;
  const buttons = parts ? [] : others.map((action) => ({ action, label: labelOf(types, action, rules) }));
  return { buttons, picks: picksOf(picked), parts };
}

/** Return the label of an action in plain words. */
export function labelOf(types: GameTypes, action: Json, rules: JsonObject): string {
  if (typeof action === "string" && !pieceKind(schemaOf(types.action, action, types.parts))) return words.plain(action);
  return capitalize(actionWords(types, action, rules));
}

/** Return an action as words for the middle of a sentence. */
export function actionWords(types: GameTypes, action: Json, rules: JsonObject): string {
  const schema = schemaOf(types.action, action, types.parts);
  if (isObject(action)) {
    const tag = Object.entries(schema.properties ?? {}).find(([name, one]) => one.enum?.length === 1 && typeof action[name] === "string")?.[0];
    const { [tag ?? ""]: kind, ...rest } = action;
    const shown = showValue(tag === undefined ? schema : { ...schema, properties: without(schema.properties, tag) }, rest, { parts: types.parts, rules });
    const details = shown ? wordsOf(shown) : "";
    return typeof kind === "string" ? [words.inside(kind), details].filter(Boolean).join(": ") : details;
  }
  const shown = showValue(schema, action, { parts: types.parts, rules });
  return shown === null ? words.nothing : shown.kind === "text" && schema.enum ? words.inside(String(action)) : wordsOf(shown);
}

function without<T>(properties: Record<string, T> | undefined, name: string): Record<string, T> {
  return Object.fromEntries(Object.entries(properties ?? {}).filter(([one]) => one !== name));
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

/** Return the parts that actions have in common: the properties of objects or the places of lists, with single values. */
function partsOf(actions: readonly Json[]): Parts | null {
  const entries = actions.map((action) => (isList(action) || isObject(action) ? Object.entries(action) : null));
  const names = entries[0]?.map(([name]) => name) ?? [];
  const isAlike = entries.every((row) => row?.length === names.length && row.every(([name, value], index) => name === names[index] && !isList(value) && !isObject(value)));
  if (names.length < 2 || !isAlike) return null;
  const varying = names.filter((_, place) => new Set(entries.map((row) => row![place]![1])).size > 1);
  const rows = entries.map((row, index) => ({
    action: actions[index]!,
    values: row!.filter(([name]) => varying.includes(name)).map(([, value]) => optionLabel(value)),
  }));
  const isListed = isList(actions[0]);
  return { names: varying.map((name) => (isListed ? words.dock.part(Number(name) + 1) : words.plain(name))), rows };
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
