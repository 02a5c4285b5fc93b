/** What is asked of the server: the client knows no rule of the game. */
import { post } from "../../api/http";
import type { AnyRules, Schema } from "../../api/types";
import { keyOf, type Dialog, type Dragged, type PossibleDrop, type Staging, type View } from "./things";

export type Rules = AnyRules["casino"];
/** For each dragged thing, and each target, what a drop can mean. */
export type Drops = ReadonlyMap<string, ReadonlyMap<string, PossibleDrop>>;
export type OddsReply = Schema<"casino.CasinoOddsReply">;
export type SolveReply = Schema<"casino.SolveReply">;
export type ScoreReply = Schema<"casino.ScoreReply">;
export type ListedMove = Schema<"casino.ListedMove">;

const RESOLVE = "/casino/resolve";
const ODDS = "/casino/odds";

/** Ask at once what every one of these things can come to, wherever it is dropped. */
export async function askDrops(rules: Rules, view: View, things: Dragged[], stack: Staging | null, signal: AbortSignal): Promise<Drops> {
  if (!things.length) return new Map();
  const asked = { count: things.length, same: { type: "drops", rules, view, stack }, each: { dragged: things } };
  const { answers } = await post<{ answers: Schema<"casino.DropsReply">[] }>(`${RESOLVE}/batch`, asked, { signal });
  return new Map(things.map((thing, index) => [keyOf(thing), byTarget(answers[index]?.drops ?? [])]));
}

function byTarget(drops: PossibleDrop[]): Map<string, PossibleDrop> {
  return new Map(drops.map((drop) => [keyOf(drop.target), drop]));
}

export const askDialog = (rules: Rules, view: View, stack: Staging, signal?: AbortSignal): Promise<Dialog> =>
  post(RESOLVE, { type: "dialog", rules, view, stack }, { signal });

export const askUnstage = async (rules: Rules, view: View, stack: Staging, thing: Dragged): Promise<Staging | null> =>
  (await post<Schema<"casino.StackReply">>(RESOLVE, { type: "unstage", rules, view, stack, thing })).stack;

export const askOdds = (rules: Rules, view: View, signal: AbortSignal): Promise<OddsReply> => post(ODDS, { type: "table", rules, view }, { signal });

export const askEnding = (rules: Rules, view: View, signal: AbortSignal): Promise<SolveReply> => post(ODDS, { type: "ending", rules, view }, { signal });

/** Ask what each move of the viewer brings at once. */
export async function askGains(rules: Rules, view: View, signal: AbortSignal): Promise<ListedMove[]> {
  const asked = {
    type: "moves",
    rules,
    hand: view.hand ?? [],
    loose: view.loose,
    builds: view.builds,
    seat: view.turn,
    players: view.hand_sizes.length,
    deal: view.deal,
    last_deal: view.stock_size === 0,
  };
  return (await post<Schema<"casino.MovesReply">>(RESOLVE, asked, { signal })).moves;
}

/** Ask what piles and sweeps are worth, as if the game were over. */
export const askScore = (rules: Rules, { piles, sweeps }: Pick<View, "piles" | "sweeps">, signal: AbortSignal): Promise<ScoreReply> =>
  post(RESOLVE, { type: "score", rules, piles, sweeps }, { signal });
