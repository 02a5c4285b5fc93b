/** Rules and their schema as the server knows them; what never changes is asked for once. */
import { get, post } from "../api/http";
import type { GivenRules } from "../api/matches";
import type { SeatCount } from "../api/types";
import type { Rules } from "./changes";
import type { JsonSchema } from "./schema";

/** Rules in full, as TOML too, and how many may play by them. */
export type ReadRulesReply = { rules_id: string; rules: Rules; toml: string; seats: SeatCount };

const asked = new Map<string, Promise<unknown>>();

export function once<T>(what: string, ask: () => Promise<T>): Promise<T> {
  const before = asked.get(what);
  if (before) return before as Promise<T>;
  const asking = ask();
  asked.set(what, asking);
  asking.catch(() => asked.delete(what));
  return asking;
}

export const schemaOf = (game: string): Promise<JsonSchema> => once(`schema of ${game}`, () => get(`/games/${game}/schema`));
export const presetOf = (game: string, preset: string): Promise<ReadRulesReply> => once(`${preset} of ${game}`, () => readRules(game, { rules: preset }));
export const readRules = (game: string, given: { rules: GivenRules } | { toml: string }, signal?: AbortSignal): Promise<ReadRulesReply> =>
  post(`/games/${game}/rules`, given, { signal });
