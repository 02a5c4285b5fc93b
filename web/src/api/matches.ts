/** Matches over HTTP: listing, opening, joining, leaving. */
import { get, getText, post, Refused, secretId } from "./http";
import { saveSeat, removeSeat, type StoredSeat } from "./storage";
import type { Frame, GameSummary, Schema } from "./types";

export type Opened = Schema<"OpenMatchReply">;
export type Listed = Schema<"MatchPage">;
export type GivenRules = string | Record<string, unknown>;
export type Opening = {
  game: string;
  seats: (string | null)[];
  rules?: GivenRules;
  clock?: { choice_seconds: number; bank_seconds?: number } | null;
  private?: boolean;
  practice?: string | null;
};
type Joined = Schema<"Applied"> | Schema<"Duplicate">;

export const listGames = (): Promise<GameSummary[]> => get("/games");

export function listMatches(wanted: { game?: string; status?: string; before?: string; limit?: number }): Promise<Listed> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value) query.set(name, String(value));
  return get(`/matches?${query}`);
}

export const openMatch = (opening: Opening): Promise<Opened> => post("/matches", opening);

/** Fetch a match; with `since`, the frame has the events after that version. */
export const lookAt = (match: string, token?: string, since?: number): Promise<Frame> =>
  get(`/matches/${match}${since === undefined ? "" : `?since=${since}`}`, { token });

export const recordOf = (match: string): Promise<string> => getText(`/matches/${match}/record`);

/** Take a seat, and store its token; a transient failure is retried once with the same id. */
export async function joinMatch(
  match: string,
  game: string,
  name: string,
  seat?: number,
  commitment: string | null = null,
): Promise<StoredSeat> {
  const joining = { id: secretId(), name, seed: secretId(), ...(seat === undefined ? {} : { seat }) };
  let joined: Joined;
  try {
    joined = await post<Joined>(`/matches/${match}/join`, joining);
  } catch (error) {
    if (!(error instanceof Refused && error.isPassing)) throw error;
    joined = await post<Joined>(`/matches/${match}/join`, joining);
  }
  const kept = {
    match,
    game,
    seat: joined.seat ?? 0,
    token: joined.token ?? "",
    name,
    joinedAt: Date.now(),
    seed: joining.seed,
    commitment,
  };
  saveSeat(kept);
  return kept;
}

export async function leaveMatch(kept: StoredSeat): Promise<void> {
  await post(`/matches/${kept.match}/leave`, { id: secretId() }, { token: kept.token });
  removeSeat(kept.match);
}
