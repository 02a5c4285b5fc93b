/** Questions about a duel: an answer that is no longer wanted is dropped, and one that was given is remembered. */
import { post } from "../../api/http";
import type { AnyRules, Schema } from "../../api/types";

type Rules = AnyRules["duel"];
export type SplitReply = Schema<"duel.SplitReply">;
export type WeighedSplit = Schema<"duel.WeighedSplit">;
export type FighterReply = Schema<"duel.FighterReply">;
export type SolvedReply = Schema<"duel.SolvedReply">;
export type FighterName = FighterReply["fighter"];
export type Wanted = "win" | "gold";

export type SplitAsked = {
  hand: readonly string[];
  hp: number;
  enemy_hp: number;
  round: number;
  enemy: readonly [number, number] | null;
  objective: Wanted | null;
};

type Question = { type: "split"; rules: Rules } & SplitAsked | { type: "fighter"; rules: Rules; fighter: FighterName; hand: readonly string[] | null } | { type: "solved"; rules: Rules };

const MOST_REMEMBERED = 64;
const answers = new Map<string, unknown>();

/** The answer to the last question of a kind. */
export class Asked<T> {
  reply = $state.raw<T | null>(null);
  error = $state.raw<unknown>(null);
  isAsking = $state(false);
  #key: string | null = null;
  #going: AbortController | null = null;

  /** Ask, unless this was asked last; null asks nothing. */
  ask(question: Question | null): void {
    const key = question && JSON.stringify(question);
    if (key === this.#key) return;
    this.#going?.abort();
    this.#key = key;
    this.error = null;
    const known = key === null ? null : ((answers.get(key) as T | undefined) ?? null);
    this.reply = known;
    this.isAsking = key !== null && known === null;
    if (key !== null && known === null) void this.#answer(question, key);
  }

  /** Ask the same once more, after it was refused. */
  again(): void {
    const key = this.#key;
    if (key === null || this.isAsking) return;
    this.error = null;
    this.isAsking = true;
    void this.#answer(JSON.parse(key), key);
  }

  async #answer(question: unknown, key: string): Promise<void> {
    const going = new AbortController();
    this.#going = going;
    try {
      const reply = await post<T>("/duel/odds", question, { signal: going.signal });
      if (this.#key !== key) return;
      remember(key, reply);
      this.reply = reply;
    } catch (error) {
      if (this.#key !== key || going.signal.aborted) return;
      this.error = error;
    }
    this.isAsking = false;
  }
}

function remember(key: string, reply: unknown): void {
  answers.set(key, reply);
  for (const oldest of answers.keys()) {
    if (answers.size <= MOST_REMEMBERED) break;
    answers.delete(oldest);
  }
}

export function aboutFighter(rules: Rules, fighter: FighterName, hand: readonly string[] | null): Question {
  return { type: "fighter", rules, fighter, hand };
}

export function aboutSolutions(rules: Rules): Question {
  return { type: "solved", rules };
}

export function aboutSplits(rules: Rules, asked: SplitAsked): Question {
  return { type: "split", rules, ...asked };
}
