/** Rules and their schema as the server knows them; what never changes is asked for once. */
import { get, post } from "../api/http";
import type { GivenRules } from "../api/matches";
import type { GameName } from "../api/types";
import type { Rules } from "./changes";
import type { JsonSchema } from "./schema";

export type RulesRead = { rules_id: string; rules: Rules; toml: string };

const asked = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  const before = asked.get(path);
  if (before) return before as Promise<T>;
  const asking = get<T>(path);
  asked.set(path, asking);
  asking.catch(() => asked.delete(path));
  return asking;
}

export const schemaOf = (game: GameName): Promise<JsonSchema> => once(`/games/${game}/schema`);
export const presetOf = (game: GameName, preset: string): Promise<Rules> => once(`/games/${game}/rules/${encodeURIComponent(preset)}`);
export const readRules = (game: GameName, given: { rules: GivenRules } | { toml: string }, signal?: AbortSignal): Promise<RulesRead> =>
  post(`/games/${game}/rules`, given, { signal });
