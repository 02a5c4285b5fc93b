/** The JSON schemas of a game's views, actions and events; fetched once for each game. */
import { get } from "../api/http";
import type { Schema } from "../api/types";
import { fetchOnce } from "../rules/rules_api";
import { resolveRef, type JsonSchema } from "../rules/schema";

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export type GameTypes = Omit<Schema<"GameTypes">, "view" | "action" | "event" | "parts"> & {
  view: JsonSchema;
  action: JsonSchema;
  event: JsonSchema;
  parts: Record<string, JsonSchema>;
};

const LOADED = new Map<string, GameTypes>();

/** Fetch the types of a game; `typesOf` returns them from then on. */
export async function loadTypes(game: string): Promise<GameTypes> {
  const types = await fetchOnce(`types of ${game}`, () => get<GameTypes>(`/games/${game}/types`));
  LOADED.set(game, types);
  return types;
}

/** Return the types of a game; without any constraint where they are not loaded. */
export function typesOf(game: string): GameTypes {
  return LOADED.get(game) ?? { game, about: "", view: {}, action: {}, event: {}, parts: {} };
}

export const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Return the schema of a value: references are followed, and of alternatives the first that fits is taken; words for showing are kept. */
export function schemaOf(schema: JsonSchema | undefined, value: Json, parts: Record<string, JsonSchema>, deep = 0): JsonSchema {
  if (!schema || deep > 12) return {};
  if (schema.$ref !== undefined) {
    const { $ref: _, ...own } = schema;
    return { ...schemaOf(resolveRef(schema, { $defs: parts }), value, parts, deep + 1), ...own };
  }
  if (!schema.anyOf) return schema;
  const { anyOf, ...own } = schema;
  const found = anyOf.find((one) => fits(schemaOf(one, value, parts, deep + 1), value, parts, deep)) ?? {};
  return { ...schemaOf(found, value, parts, deep + 1), ...own };
}

/** Whether a value may be of a schema: by its type, its options, and the properties that an object must have. */
function fits(schema: JsonSchema, value: Json, parts: Record<string, JsonSchema>, deep: number): boolean {
  if (schema.const !== undefined) return schema.const === value;
  if (schema.enum) return schema.enum.includes(value);
  if (value === null) return schema.type === "null";
  if (isList(value)) return schema.type === "array" && itemsFit(schema, value, parts, deep);
  if (isObject(value)) return schema.type === "object" && propertiesFit(schema, value);
  if (typeof value === "number") return schema.type === "number" || (schema.type === "integer" && Number.isInteger(value));
  return schema.type === typeof value;
}

function itemsFit(schema: JsonSchema, value: readonly Json[], parts: Record<string, JsonSchema>, deep: number): boolean {
  const { items } = schema;
  return typeof items !== "object" || deep > 6 || value.every((one) => fits(schemaOf(items, one, parts, deep + 1), one, parts, deep + 1));
}

function propertiesFit({ properties = {}, required = [], additionalProperties }: JsonSchema, value: JsonObject): boolean {
  if (!required.every((name) => name in value)) return false;
  if (additionalProperties === false && !Object.keys(value).every((name) => name in properties)) return false;
  return Object.entries(properties).every(([name, one]) => !one.enum || !(name in value) || one.enum.includes(value[name]));
}
