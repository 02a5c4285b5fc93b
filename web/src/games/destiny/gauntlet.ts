/** A gauntlet: the question about its seats, and its last contest. */
import { post } from "../../api/http";
import type { Schema } from "../../api/types";
import type { Entry } from "./history";
import type { Rules } from "./questions";

export type GauntletView = Schema<"destiny.GauntletView">;
export type Gauntlet = Schema<"destiny.GauntletReply">;
type Score = Schema<"destiny.Score">;
type Seats = { outlaw: string; beaten: number; lost: number; retired: boolean }[];

export const GAUNTLET = "/destiny/gauntlet";

/** Return the seats of a view as a question has them; null while an outlaw is not known. */
export function seatsOf(view: Pick<GauntletView, "choices" | "bouts" | "retired">): Seats | null {
  const outlaws = view.choices.flatMap((choice) => (choice === null ? [] : [choice]));
  if (outlaws.length < view.choices.length) return null;
  return outlaws.map((outlaw, seat) => {
    const own = view.bouts.filter((bout) => bout.seat === seat);
    const beaten = own.filter((bout) => bout.winner === "attacker").length;
    return { outlaw, beaten, lost: own.length - beaten, retired: view.retired[seat] ?? false };
  });
}

/** Ask what a gauntlet is worth to an outlaw from its start, alone. */
export const askAlone = (rules: Rules, outlaw: string, signal: AbortSignal): Promise<Gauntlet> =>
  post<Gauntlet>(GAUNTLET, { rules, seats: [{ outlaw }] }, { signal });

/** The last contest: whose it is, the tier, both scores as far as they are drawn, and whether the seat won. */
export type LastBout = { seat: number; npc: string; own: Score | null; other: Score | null; won: boolean | null };

/** Return the last contest in the log; null where there is none. */
export function lastBout(log: readonly Entry[]): LastBout | null {
  let found: LastBout | null = null;
  for (const { event } of log) {
    if (event.event === "bout_begun") found = { seat: event.seat, npc: event.npc, own: null, other: null, won: null };
    else if (found && event.event === "drawn") {
      if (event.npc) found.other = event.score;
      else found.own = event.score;
    } else if (found && event.event === "bout_resolved") found.won = event.winner === "attacker";
  }
  return found;
}
