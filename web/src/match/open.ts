/** Opens the table of a match: its frame, its rules, and its socket. */
import { get, RefusalError } from "../api/http";
import { removeSeat, findSeat } from "../api/storage";
import { fetchMatch } from "../api/matches";
import type { AnyRules, Frame, GameName } from "../api/types";
import { Live } from "./live";
import { Table } from "./table.svelte";

export type OpenTable = { table: Table; live: Live; lostSeat: boolean };

/** Return the table of a match for this browser's seat, or for a spectator; a seat with an invalid token is removed. */
export async function openTable(match: string): Promise<OpenTable> {
  let token = findSeat(match)?.token ?? null;
  let lostSeat = false;
  let frame: Frame;
  try {
    frame = await fetchMatch(match, token ?? undefined, 0);
  } catch (error) {
    if (!(error instanceof RefusalError) || error.code !== "bad_token") throw error;
    removeSeat(match);
    [token, lostSeat] = [null, true];
    frame = await fetchMatch(match, undefined, 0);
  }
  const rules = await get<AnyRules[GameName]>(`/matches/${match}/rules`);
  const table = new Table(frame.game as GameName, rules, frame);
  const live = new Live(match, token, frame.version, {
    frame: (next) => table.show(next),
    draft: (shown) => table.noteDraft(shown),
    connection: (connection) => table.setConnection(connection),
  });
  table.connectTo(live);
  return { table, live, lostSeat };
}
