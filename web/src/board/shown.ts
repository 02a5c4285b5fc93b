/** What a board draws of a value, from its schema and the words for showing. */
import type { JsonSchema } from "../rules/schema";
import { isList, isObject, schemaOf, type Json, type JsonObject } from "./game_types";
import { words } from "./text";

export type PieceKind = "card" | "die";
/** A card or a die; `face` is null where it is hidden. Playing cards are text, other cards text or numbers. */
export type Piece = { kind: PieceKind; face: string | number | null };

export type Shown =
  | { kind: "pieces"; of: PieceKind; pieces: readonly Piece[] }
  /** A bar from `least` to `end`, which is `most` where the value has a bound. */
  | { kind: "track"; value: number; least: number; most: number | null; end: number }
  | { kind: "flag"; on: boolean }
  | { kind: "number"; value: number }
  | { kind: "text"; text: string }
  /** A value that is hidden: whether there is one. */
  | { kind: "secret"; given: boolean }
  | { kind: "seats"; seats: readonly number[] }
  | { kind: "list"; items: readonly Shown[] }
  | { kind: "group"; fields: readonly ShownField[] };
export type ShownField = { name: string; label: string; shown: Shown };

/** What the schemas refer to: their parts, and the rules that bound tracks. */
export type Lookup = { parts: Record<string, JsonSchema>; rules: JsonObject };

const SIGHT = new Set(["given", "count", "counts", "seen"]);
const PLAYING_CARD = /^(?:(?:[2-9]|10|[TJQKA])[♠♥♣♦]|[RB]J)$/i;

export const isPlayingCard = (face: string | number): boolean => typeof face === "string" && PLAYING_CARD.test(face);

/** Return what is drawn of a value; null where nothing is. */
export function showValue(given: JsonSchema | undefined, value: Json, lookup: Lookup): Shown | null {
  const schema = schemaOf(given, value, lookup.parts);
  const word = schema["x-show"];
  if (word === "none" || value === null) return null;
  if (isSight(schema, value)) return showSight(schema, value, lookup);
  if (word === "seat") return showSeats(value);
  const of = pieceKind(schema);
  if (of && (typeof value === "string" || typeof value === "number")) return { kind: "pieces", of, pieces: [{ kind: of, face: value }] };
  if (isList(value)) return showList(schema, value, lookup);
  if (isObject(value)) return showGroup(schema, value, lookup);
  if (typeof value === "boolean") return { kind: "flag", on: value };
  if (typeof value === "string") return { kind: "text", text: schema.enum ? words.plain(value) : value };
  return word === "track" ? showTrack(schema, value, lookup.rules) : { kind: "number", value };
}

/** Return the kind of piece of a schema; null where it is none. */
export function pieceKind(schema: JsonSchema): PieceKind | null {
  if (schema["x-show"] === "cards") return "card";
  if (schema["x-show"] === "die") return "die";
  return schema.pattern?.includes("♠") ? "card" : null;
}

/** Whether an object is what is seen of a hidden place: how much there is, and what the viewer sees alone. */
function isSight(schema: JsonSchema, value: Json): value is JsonObject {
  if (!isObject(value) || schema.additionalProperties !== false) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => SIGHT.has(name));
}

function showSight(schema: JsonSchema, sight: JsonObject, lookup: Lookup): Shown | null {
  const word = schema["x-show"] === undefined ? {} : { "x-show": schema["x-show"] };
  const seen = sight.seen ?? null;
  if (seen !== null) return showValue({ ...schema.properties?.seen, ...word }, seen, lookup);
  const of = pieceKind(word) ?? "card";
  const hidden = (count: Json): Shown => ({ kind: "pieces", of, pieces: Array.from({ length: Number(count) }, () => ({ kind: of, face: null })) });
  if (isList(sight.counts)) return { kind: "list", items: sight.counts.map(hidden) };
  if (sight.count !== undefined) return hidden(sight.count);
  return sight.given === undefined ? null : { kind: "secret", given: sight.given === true };
}

function showSeats(value: Json): Shown | null {
  const seats = (isList(value) ? value : [value]).filter((seat) => typeof seat === "number");
  return { kind: "seats", seats };
}

function showTrack(schema: JsonSchema, value: number, rules: JsonObject): Shown {
  const named = schema["x-up-to"] === undefined ? undefined : rules[schema["x-up-to"]];
  const most = typeof named === "number" ? named : (schema.maximum ?? null);
  const least = schema.minimum ?? 0;
  return { kind: "track", value, least, most, end: most ?? Math.max(value, least + 1) };
}

function showList(schema: JsonSchema, value: readonly Json[], lookup: Lookup): Shown {
  const word = schema["x-show"];
  const inherited = word === undefined || word === "seat" ? {} : { "x-show": word };
  const itemSchema = (index: number): JsonSchema => ({ ...(schema.prefixItems?.[index] ?? (typeof schema.items === "object" ? schema.items : {})), ...inherited });
  const of = pieceKind(itemSchema(0));
  if (of && value.every((one) => one === null || typeof one === "string" || typeof one === "number"))
    return { kind: "pieces", of, pieces: value.map((face) => ({ kind: of, face: face as string | number | null })) };
  const items = value.map((one, index) => showValue(itemSchema(index), one, lookup)).filter((one) => one !== null);
  return { kind: "list", items };
}

/** Return a group; null where it has nothing that is drawn, as what is seen of one hidden value. */
function showGroup(schema: JsonSchema, value: JsonObject, lookup: Lookup): Shown | null {
  const fields = fieldsOf(schema, value, lookup);
  return fields.length ? { kind: "group", fields } : null;
}

/** Return the tag of a struct: the value of the property that has only one; null where there is none. */
export function tagOf(schema: JsonSchema, value: JsonObject): string | null {
  const tag = Object.entries(schema.properties ?? {}).find(([name, one]) => isTag(one) && typeof value[name] === "string");
  return tag ? String(value[tag[0]]) : null;
}

const isTag = (schema: JsonSchema | undefined): boolean => schema?.enum?.length === 1;

/** Return the fields of an object that are drawn, without its tag, in the order of its schema. */
export function fieldsOf(schema: JsonSchema, value: JsonObject, lookup: Lookup): ShownField[] {
  const { properties = {} } = schema;
  const others = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {};
  const names = [...Object.keys(properties).filter((name) => name in value), ...Object.keys(value).filter((name) => !(name in properties))];
  return names.flatMap((name) => {
    if (isTag(properties[name])) return [];
    const shown = showValue(properties[name] ?? others, value[name]!, lookup);
    return shown === null ? [] : [{ name, label: words.plain(name), shown }];
  });
}

/** Whether nothing can be seen of a value: an empty pile or list. */
export function isEmpty(shown: Shown): boolean {
  switch (shown.kind) {
    case "pieces":
      return shown.pieces.length === 0;
    case "list":
      return shown.items.every(isEmpty);
    case "group":
      return shown.fields.every((field) => isEmpty(field.shown));
    default:
      return false;
  }
}

/** Return a value as words, for sentences and for buttons. */
export function wordsOf(shown: Shown): string {
  switch (shown.kind) {
    case "pieces": {
      if (!shown.pieces.length) return shown.of === "card" ? words.cards.none : words.dice.none;
      const faces = shown.pieces.filter((piece) => piece.face !== null).map((piece) => String(piece.face));
      const hidden = shown.pieces.length - faces.length;
      const back = hidden ? [shown.of === "card" ? words.cards.hidden(hidden) : words.dice.hidden(hidden)] : [];
      return [faces.join(shown.of === "card" ? " " : ", "), ...back].filter(Boolean).join(", ");
    }
    case "track":
      return shown.most === null ? String(shown.value) : words.track(shown.value, shown.most);
    case "flag":
      return shown.on ? words.yes.toLowerCase() : words.no.toLowerCase();
    case "number":
      return formatNumber(shown.value);
    case "text":
      return shown.text;
    case "secret":
      return shown.given ? words.hidden.given : words.hidden.open;
    case "seats":
      return shown.seats.map((seat) => String(seat + 1)).join(", ");
    case "list":
      return shown.items.length ? shown.items.map(wordsOf).join(", ") : words.nothing;
    case "group":
      return shown.fields.map(fieldWords).join(", ");
  }
}

function fieldWords({ name, shown }: ShownField): string {
  if (shown.kind === "flag") return shown.on ? words.inside(name) : `${words.no.toLowerCase()} ${words.inside(name)}`;
  return words.says.detail(words.inside(name), wordsOf(shown));
}

/** Format a number with a minus sign and no more than two decimals. */
export function formatNumber(value: number): string {
  const text = String(Math.abs(Math.round(value * 100) / 100));
  return value < 0 && text !== "0" ? `−${text}` : text;
}
