/** Questions to the server about moves, drops, odds and scores. */
import { post } from "../../api/http";
import type { AnyRules, Schema } from "../../api/types";
import { keyOf, type Dialog, type DraggedItem, type PossibleDrop, type Staging, type View } from "./draggables";

export type Rules = AnyRules["casino"];
/** What drops can mean, by key of the thing and of the target. */
export type DropTable = ReadonlyMap<string, ReadonlyMap<string, PossibleDrop>>;
export type OddsReply = Schema<"casino.CasinoOddsReply">;
export type SolveReply = Schema<"casino.SolveReply">;
export type MovesReply = Schema<"casino.MovesReply">;
export type ScoreReply = Schema<"casino.ScoreReply">;
export type ListedMove = Schema<"casino.ListedMove">;

export const MOVES = "/casino/moves";
export const ODDS = "/casino/odds";
export const SOLVE = "/casino/solve";
export const SCORE = "/casino/score";
const DROPS = "/casino/drops/batch";
const DIALOG = "/casino/dialog";
const UNSTAGE = "/casino/unstage";

/** Fetch what drops of these things can mean, in one batch. */
export async function askDrops(
  rules: Rules,
  view: View,
  things: DraggedItem[],
  stack: Staging | null,
  signal: AbortSignal,
): Promise<DropTable> {
  if (!things.length) return new Map();
  const body = { count: things.length, same: { rules, view, stack }, each: { dragged: things } };
  const { answers } = await post<{ answers: Schema<"casino.DropsReply">[] }>(DROPS, body, { signal });
  return new Map(things.map((thing, index) => [keyOf(thing), byTarget(answers[index]?.drops ?? [])]));
}

function byTarget(drops: PossibleDrop[]): Map<string, PossibleDrop> {
  return new Map(drops.map((drop) => [keyOf(drop.target), drop]));
}

export const askDialog = (rules: Rules, view: View, stack: Staging, signal?: AbortSignal): Promise<Dialog> =>
  post(DIALOG, { rules, view, stack }, { signal });

export const askUnstage = async (rules: Rules, view: View, stack: Staging, thing: DraggedItem): Promise<Staging | null> =>
  (await post<Schema<"casino.StackReply">>(UNSTAGE, { rules, view, stack, thing })).stack;

/** Return the question about the odds of the table. */
export const oddsQuestion = (rules: Rules, view: View): object => ({ rules, view });

/** Return the question that solves the last deal of two. */
export const endingQuestion = (rules: Rules, view: View): object => ({ rules, view });

/** Return the question about the immediate gain of each move. */
export const gainsQuestion = (rules: Rules, view: View): object => ({
  rules,
  hand: view.hand ?? [],
  loose: view.loose,
  builds: view.builds,
  seat: view.turn,
  players: view.hand_sizes.length,
  deal: view.deal,
  last_deal: view.stock_size === 0,
});

/** Return the question about the score, as if the game were over. */
export const scoreQuestion = (rules: Rules, { piles, sweeps }: Pick<View, "piles" | "sweeps">): object => ({ rules, piles, sweeps });
