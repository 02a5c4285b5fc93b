/** Opens a planned match, and takes the user's seat. */
import { refusalOf } from "../api/http";
import { joinMatch, openMatch } from "../api/matches";
import type { Refusal } from "../api/types";
import { mySeat, openRequest, type Plan } from "./plans";

export type OpenPlanResult = { address: string; refusal: Refusal | null };

/** Open a match and take a seat, and return its address; a refusal of the seat is returned with the address of the open match. */
export async function openPlan(plan: Plan, name: string): Promise<OpenPlanResult> {
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
