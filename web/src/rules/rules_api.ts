/** Fetches rules and their schemas from the server; what never changes is fetched once. */
import { get, post } from "../api/http";
import type { GivenRules } from "../api/matches";
import type { SeatCount } from "../api/types";
import type { Rules } from "./changes";
import type { JsonSchema } from "./schema";

/** Rules in full, as TOML too, and how many may play by them. */
export type ReadRulesReply = { rules_id: string; rules: Rules; toml: string; seats: SeatCount };

const REQUESTS = new Map<string, Promise<unknown>>();

/** Return the result of an earlier call with this key, or of `request`; a request that fails is made again at the next call. */
export function fetchOnce<T>(key: string, request: () => Promise<T>): Promise<T> {
  const known = REQUESTS.get(key);
  if (known) return known as Promise<T>;
  const made = request();
  REQUESTS.set(key, made);
  made.catch(() => REQUESTS.delete(key));
  return made;
}

export const fetchSchema = (game: string): Promise<JsonSchema> => fetchOnce(`schema of ${game}`, () => get(`/games/${game}/schema`));
export const fetchPreset = (game: string, preset: string): Promise<ReadRulesReply> =>
  fetchOnce(`${preset} of ${game}`, () => readRules(game, { rules: preset }));
export const readRules = (game: string, given: { rules: GivenRules } | { toml: string }, signal?: AbortSignal): Promise<ReadRulesReply> =>
  post(`/games/${game}/rules`, given, { signal });
