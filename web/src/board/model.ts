/** The model of the default board: what lies in the middle, and what each seat has. */
import type { JsonSchema } from "../rules/schema";
import { isList, isObject, schemaOf, type GameTypes, type Json, type JsonObject } from "./game_types";
import { fieldsOf, isEmpty, showValue, type Lookup, type Shown, type ShownField } from "./shown";
import { words } from "./text";

export type SeatModel = {
  seat: number;
  /** Labels of the markers that lie here. */
  marks: readonly string[];
  fields: readonly ShownField[];
};
export type BoardModel = {
  /** Cards and dice in the middle. */
  pieces: readonly ShownField[];
  /** All else in the middle: numbers, texts, lists. */
  facts: readonly ShownField[];
  seats: readonly SeatModel[];
};

/** Fields that every view has, and that no board draws. */
const BASE = new Set(["rules", "seats"]);

/** Return the model of a view; `count` is the number of seats. */
export function boardOf(types: GameTypes, view: Json, rules: JsonObject, count: number): BoardModel {
  if (!isObject(view)) return { pieces: [], facts: [], seats: emptySeats(count) };
  const schema = schemaOf(types.view, view, types.parts);
  const lookup: Lookup = { parts: types.parts, rules };
  const properties = schema.properties ?? {};
  const tag = types.view.anyOf && types.view.discriminator?.propertyName;
  const seats = Array.from({ length: count }, () => ({ marks: [] as string[], fields: [] as ShownField[] }));
  const rest: Record<string, Json> = {};
  for (const [name, value] of Object.entries(view)) {
    if (BASE.has(name) || name === tag) continue;
    const one = schemaOf(properties[name], value, types.parts);
    if (one["x-show"] === "none") continue;
    if (one["x-each"] === "seat" && isList(value)) addEntries(seats, name, one, value, lookup);
    else if (one["x-show"] === "seat") addMarks(seats, name, showValue(one, value, lookup));
    else rest[name] = value;
  }
  const middle = fieldsOf(schema, rest, lookup);
  return {
    pieces: middle.filter(({ shown }) => hasPieces(shown)),
    facts: middle.filter(({ shown }) => !hasPieces(shown)),
    seats: alignTracks(seats).map((found, seat) => ({ seat, ...found })),
  };
}

const emptySeats = (count: number): SeatModel[] => Array.from({ length: count }, (_, seat) => ({ seat, marks: [], fields: [] }));

function addEntries(seats: { fields: ShownField[] }[], name: string, schema: JsonSchema, value: readonly Json[], lookup: Lookup): void {
  const word = schema["x-show"] === undefined ? {} : { "x-show": schema["x-show"] };
  const item = { ...(typeof schema.items === "object" ? schema.items : {}), ...word };
  seats.forEach(({ fields }, seat) => {
    const shown = seat < value.length ? showValue(item, value[seat]!, lookup) : null;
    if (shown !== null && !isEmpty(shown)) fields.push({ name, label: words.plain(name), shown });
  });
}

function addMarks(seats: { marks: string[] }[], name: string, shown: Shown | null): void {
  if (shown?.kind !== "seats") return;
  for (const seat of shown.seats) seats[seat]?.marks.push(words.plain(name));
}

function hasPieces(shown: Shown): boolean {
  return shown.kind === "pieces" || (shown.kind === "list" && shown.items.length > 0 && shown.items.every(hasPieces));
}

/** Let the bars of tracks without a bound end at the greatest value of all seats, so that they can be compared. */
function alignTracks<S extends { fields: ShownField[] }>(seats: readonly S[]): S[] {
  const ends = new Map<string, number>();
  for (const { name, shown } of seats.flatMap((seat) => seat.fields))
    if (shown.kind === "track") ends.set(name, Math.max(ends.get(name) ?? 0, shown.end));
  const align = (field: ShownField): ShownField =>
    field.shown.kind === "track" ? { ...field, shown: { ...field.shown, end: ends.get(field.name)! } } : field;
  return seats.map((seat) => ({ ...seat, fields: seat.fields.map(align) }));
}
