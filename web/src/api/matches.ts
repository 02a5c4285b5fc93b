/** Matches over HTTP: listing, opening, joining, leaving. */
import { get, getText, post, secretId, withRetries } from "./http";
import { saveSeat, removeSeat, type StoredSeat } from "./storage";
import type { Frame, GameSummary, Schema } from "./types";

export type OpenMatchReply = Schema<"OpenMatchReply">;
export type MatchPage = Schema<"MatchPage">;
export type GivenRules = string | Record<string, unknown>;
export type OpenMatchRequest = {
  game: string;
  seats: (string | null)[];
  rules?: GivenRules;
  clock?: { choice_seconds: number; bank_seconds?: number } | null;
  private?: boolean;
  practice?: string | null;
};
type JoinReply = Schema<"Applied"> | Schema<"Duplicate">;

export const listGames = (): Promise<GameSummary[]> => get("/games");

export function listMatches(filter: { game?: string; status?: string; before?: string; limit?: number }): Promise<MatchPage> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, String(value));
  return get(`/matches?${query}`);
}

/** Open a match; a request that was refused because there were too many is sent again. */
export const openMatch = (request: OpenMatchRequest): Promise<OpenMatchReply> =>
  withRetries(() => post("/matches", request), { onlyUnread: true });

/** Fetch a match; with `since`, the frame has the events after that version. */
export const fetchMatch = (match: string, token?: string, since?: number): Promise<Frame> =>
  get(`/matches/${match}${since === undefined ? "" : `?since=${since}`}`, { token });

export const fetchRecord = (match: string): Promise<string> => getText(`/matches/${match}/record`);

/** Take a seat, and store its token; after a transient failure the request is sent again with the same id. */
export async function joinMatch(
  match: string,
  game: string,
  name: string,
  seat?: number,
  commitment: string | null = null,
): Promise<StoredSeat> {
  const request = { id: secretId(), name, seed: secretId(), ...(seat === undefined ? {} : { seat }) };
  const reply = await withRetries(() => post<JoinReply>(`/matches/${match}/join`, request));
  const stored: StoredSeat = {
    match,
    game,
    seat: reply.seat ?? 0,
    token: reply.token ?? "",
    name,
    joinedAt: Date.now(),
    seed: request.seed,
    commitment,
  };
  saveSeat(stored);
  return stored;
}

export async function leaveMatch(stored: StoredSeat): Promise<void> {
  const request = { id: secretId() };
  await withRetries(() => post(`/matches/${stored.match}/leave`, request, { token: stored.token }));
  removeSeat(stored.match);
}
