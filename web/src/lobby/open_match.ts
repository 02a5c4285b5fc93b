/** From a plan to a table: the match is opened, your seat taken, and its address returned. */
import { refusalOf } from "../api/http";
import { joinMatch, openMatch } from "../api/matches";
import type { Refusal } from "../api/types";
import { mySeat, openRequest, type Plan } from "./plans";

export type OpenedPlan = { address: string; refusal: Refusal | null };

/** Open a match and take your seat. A match that is open is never lost: where no seat could be taken, its page offers it. */
export async function openPlan(plan: Plan, name: string): Promise<OpenedPlan> {
  const opened = await openMatch(openRequest(plan));
  const address = `/matches/${opened.match}`;
  const seat = mySeat(plan.occupants);
  if (seat === null) return { address, refusal: null };
  try {
    await joinMatch(opened.match, plan.game, name, seat, opened.commitment);
    return { address, refusal: null };
  } catch (error) {
    return { address, refusal: refusalOf(error) };
  }
}
