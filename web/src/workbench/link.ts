/** Encodes the state of a workbench for a link: its difference from the initial state, as JSON in base64url. */
import { isEqual } from "../rules/changes";

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type JsonObject = { [name: string]: Json };

/** Longer links are truncated by some programs, and refused by servers. */
export const LONGEST = 6000;
const REMOVED = "~";

const isObject = (value: Json | undefined): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** Return the delta from `base` to `value`; undefined where they are equal. */
export function deltaOf(base: Json | undefined, value: Json): Json | undefined {
  if (isEqual(base, value)) return undefined;
  if (!isObject(base) || !isObject(value)) return value;
  const delta: JsonObject = {};
  for (const [name, inner] of Object.entries(value)) {
    const part = deltaOf(base[name], inner);
    if (part !== undefined) delta[name] = part;
  }
  const removed = Object.keys(base).filter((name) => !(name in value));
  if (removed.length) delta[REMOVED] = removed;
  return delta;
}

/** Apply a delta to its base. */
export function applyDelta(base: Json | undefined, delta: Json | undefined): Json {
  if (delta === undefined) return base ?? null;
  if (!isObject(delta)) return delta;
  const { [REMOVED]: removed, ...parts } = delta;
  const names = Array.isArray(removed) ? removed : [];
  const left = Object.entries(isObject(base) ? base : {}).filter(([name]) => !names.includes(name));
  const result: JsonObject = Object.fromEntries(left);
  for (const [name, part] of Object.entries(parts)) result[name] = applyDelta(result[name], part);
  return result;
}

/** Return data as a text for a link; null where it is too long. */
export function encodeLink(data: Json): string | null {
  const bytes = new TextEncoder().encode(JSON.stringify(data));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const text = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return text.length > LONGEST ? null : text;
}

/** Return the data of a text; undefined where it cannot be decoded. */
export function decodeLink(text: string): Json | undefined {
  if (text.length > LONGEST || !/^[\w-]+$/.test(text)) return undefined;
  try {
    const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
