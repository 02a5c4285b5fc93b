/** The matches that were joined in this browser, each fetched with the token of its seat. */
import { RefusalError } from "../api/http";
import { removeSeat, loadSeats, type StoredSeat } from "../api/storage";
import { fetchMatch } from "../api/matches";
import type { Frame } from "../api/types";

export type MatchState = "asking" | "open" | "playing" | "over" | "abandoned" | "gone" | "lost" | "unreachable";
export type MyMatch = { stored: StoredSeat; frame: Frame | null; state: MatchState };

const AT_ONCE = 4;

/** Return the state of a match. */
export function stateOf(frame: Frame): MatchState {
  if (frame.abandonment) return "abandoned";
  if (frame.outcome) return "over";
  return frame.view === null ? "open" : "playing";
}

/** Return the state of a match that could not be fetched. */
export function stateAfter(error: unknown): MatchState {
  if (error instanceof RefusalError && error.code === "unknown_match") return "gone";
  if (error instanceof RefusalError && error.code === "bad_token") return "lost";
  return "unreachable";
}

const RANK: Record<MatchState, number> = { asking: 1, playing: 0, open: 0, unreachable: 1, over: 2, abandoned: 2, lost: 3, gone: 3 };

/** Sort matches: running before finished, those on your turn first, then the latest. */
export function sortMatches(mine: readonly MyMatch[]): MyMatch[] {
  const rank = (one: MyMatch): number => RANK[one.state] - (isMyTurn(one) ? 0.5 : 0);
  return [...mine].sort((one, other) => rank(one) - rank(other) || other.stored.joinedAt - one.stored.joinedAt);
}

export function isMyTurn({ stored, frame, state }: MyMatch): boolean {
  return state === "playing" && (frame?.deciding.includes(stored.seat) ?? false);
}

export class MyMatches {
  all = $state.raw<MyMatch[]>([]);
  total = $state(0);
  #most: number;
  #requests = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The matches that are open or running. */
  get running(): MyMatch[] {
    return this.all.filter((one) => one.state === "playing" || one.state === "open");
  }

  /** Show more of them. */
  async more(count: number): Promise<void> {
    this.#most += count;
    await this.refresh();
  }

  /** Fetch all matches that are not over. */
  async refresh(): Promise<void> {
    const request = ++this.#requests;
    const seats = loadSeats();
    this.total = seats.length;
    const before = new Map(this.all.map((one) => [one.stored.match, one]));
    const mine = seats.slice(0, this.#most).map((one): MyMatch => before.get(one.match) ?? { stored: one, frame: null, state: "asking" });
    this.all = sortMatches(mine);
    const unsure = mine.filter((one) => !["over", "abandoned", "gone", "lost"].includes(one.state));
    for (let first = 0; first < unsure.length; first += AT_ONCE) {
      const answers = await Promise.all(unsure.slice(first, first + AT_ONCE).map(refreshMatch));
      if (request !== this.#requests) return;
      const found = new Map(answers.map((one) => [one.stored.match, one]));
      this.all = sortMatches(this.all.map((one) => found.get(one.stored.match) ?? one));
    }
  }

  forget(match: string): void {
    removeSeat(match);
    this.total -= 1;
    this.all = this.all.filter((one) => one.stored.match !== match);
  }
}

async function refreshMatch({ stored, frame }: MyMatch): Promise<MyMatch> {
  try {
    const next = await fetchMatch(stored.match, stored.token);
    return { stored, frame: next, state: stateOf(next) };
  } catch (error) {
    const state = stateAfter(error);
    return { stored, frame: state === "unreachable" ? frame : null, state };
  }
}
