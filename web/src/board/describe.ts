/** Events as sentences of the log and the live region, from their schema and the forms of their values. */
import type { LogEvent, Table } from "../match/table.svelte";
import { splitAction } from "./choices";
import { isList, isObject, schemaOf, typesOf, type GameTypes, type Json, type JsonObject } from "./game_types";
import { fieldsOf, pieceKind, showValue, wordsOf, type Shown, type ShownField } from "./shown";
import { playerName } from "./names";
import { words } from "./text";

const labels = words.says;
/** Fields that every event has, and no sentence says. */
const BASE = new Set(["event", "audience", "seat"]);

/** Return an event of a table as a sentence; null where another event of the same move says more. */
export function describe(entry: LogEvent<any>, table: Table<any>): string | null {
  const event = entry.event as unknown as JsonObject;
  const saysLess = isPartial(event) && table.log.some((other) => other !== entry && other.version === entry.version && isFuller(other.event as unknown as JsonObject, event));
  if (saysLess) return null;
  return describeEvent(typesOf(table.game), event, table.rules as unknown as JsonObject, (seat) => playerName(table, seat));
}

/** Return an event as a sentence; `name` returns the name of a seat. */
export function describeEvent(types: GameTypes, event: JsonObject, rules: JsonObject, name: (seat: number) => string): string {
  const schema = schemaOf(types.event, event, types.parts);
  const who = typeof event.seat === "number" ? name(event.seat) : null;
  if (event.event === "acted" && who !== null) return describeAction(types, event.action ?? null, rules, who);
  if (event.event === "decided" && "outcome" in event) {
    const lookup = { parts: types.parts, rules };
    return describeLuck(event.outcome!, showValue(schema.properties?.outcome, event.outcome!, lookup), hiddenLuck(types, schema.properties?.outcome));
  }
  const { audience: _, ...told } = event;
  const fields = fieldsOf(schema, told, { parts: types.parts, rules }).filter((field) => !BASE.has(field.name));
  const [title, details] = [words.plain(String(event.event ?? "")), fields.map((field) => fieldOf(field, event, name)).join(", ")];
  return who === null ? labels.other(title, details) : labels.otherOf(who, words.inside(String(event.event)), details);
}

/** Whether an event has hidden parts, which are null. */
function isPartial(event: JsonObject): boolean {
  return Object.values(event).includes(null);
}

function isFuller(other: JsonObject, event: JsonObject): boolean {
  return other.event === event.event && other.seat === event.seat && !isPartial(other);
}

function describeAction(types: GameTypes, action: Json, rules: JsonObject, who: string): string {
  if (action === null) return labels.actedHidden(who);
  const schema = schemaOf(types.action, action, types.parts);
  if (typeof action === "string" && !pieceKind(schema)) return labels.acted(who, words.inside(action));
  const { tag, details } = splitAction(types, action, rules);
  if (tag !== null) return labels.actedWith(who, tag, details);
  return labels.picked(who, details);
}

function describeLuck(outcome: Json, shown: Shown | null, hidden: string): string {
  if (outcome === null || shown === null) return hidden;
  if (shown.kind === "pieces") {
    if (shown.of === "card") return labels.dealt(wordsOf(shown));
    return labels.die(shown.pieces.map((piece) => Number(piece.face)));
  }
  if (shown.kind === "list" && shown.items.every((item) => item.kind === "pieces" && item.of === "card")) {
    const hands = shown.items.filter((item) => item.kind === "pieces" && item.pieces.length > 0);
    return labels.dealt(words.list(hands.map(wordsOf)) || words.cards.none);
  }
  return labels.luck(wordsOf(shown));
}

/** Return the sentence about luck that the viewer does not see, by what its schema says of an outcome. */
function hiddenLuck(types: GameTypes, given: Parameters<typeof schemaOf>[0]): string {
  const kinds = piecesIn(given, types, 0);
  return kinds === "card" ? labels.dealtHidden : kinds === "die" ? labels.rolledHidden : labels.luckHidden;
}

function piecesIn(given: Parameters<typeof schemaOf>[0], types: GameTypes, deep: number): "card" | "die" | null {
  if (!given || deep > 4) return null;
  const own = pieceKind(given);
  if (own) return own;
  const inner = [...(given.anyOf ?? []), ...(typeof given.items === "object" ? [given.items] : []), ...(given.prefixItems ?? [])];
  return inner.map((one) => piecesIn(one, types, deep + 1)).find((kind) => kind !== null) ?? null;
}

function fieldOf({ name, shown }: ShownField, event: JsonObject, seatName: (seat: number) => string): string {
  const value = event[name];
  const seats = shown.kind === "seats" ? words.list(shown.seats.map(seatName)) : null;
  return labels.detail(words.inside(name), seats ?? (typeof value === "string" && !isObject(value) && !isList(value) && shown.kind === "text" ? shown.text.toLowerCase() : wordsOf(shown)));
}

/** Return the dice of the latest roll that an event of the log shows, with the key of the event; null where there is none. */
export function lastRoll(table: Table<any>): { key: string; faces: readonly number[]; isNew: boolean } | null {
  const types = typesOf(table.game);
  for (let place = table.log.length - 1; place >= Math.max(0, table.log.length - 30); place -= 1) {
    const entry = table.log[place]!;
    const event = entry.event as unknown as JsonObject;
    const outcome = event.outcome ?? null;
    if (outcome === null) continue;
    const schema = schemaOf(types.event, event, types.parts);
    const shown = showValue(schema.properties?.outcome, outcome, { parts: types.parts, rules: {} });
    if (shown?.kind === "pieces" && shown.of === "die")
      return { key: entry.key, faces: shown.pieces.map((piece) => Number(piece.face)), isNew: table.newEvents.some((one) => one.key === entry.key) };
  }
  return null;
}
