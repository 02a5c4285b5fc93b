/** The frames of a replay, fetched in pages, each page once per viewer. */
import { get, post } from "../api/http";
import type { AnyRules, Frame, GameName, Schema } from "../api/types";
import { eventsIn, type LogEvent } from "./table.svelte";

export type ReplayFrame = Frame & Pick<Schema<"ReplayFrame">, "line" | "by">;
export type Viewer = number | null;
export type ReplayPage = Omit<Schema<"Replay">, "rules" | "frames"> & { rules: AnyRules[GameName]; frames: ReplayFrame[] };
/** Fetches `count` frames from `first` on; the reply may have fewer. */
export type FetchFrames = (first: number, count: number, viewer: Viewer) => Promise<ReplayPage>;

export const PAGE = 50;
const MOST_EVENTS = 200;

/** Fetch the frames of a match of this server. */
export function matchFrames(match: string): FetchFrames {
  return (first, count, viewer) => {
    const query = new URLSearchParams({ first: `${first}`, count: `${count}` });
    if (viewer !== null) query.set("viewer", `${viewer}`);
    return get(`/matches/${encodeURIComponent(match)}/replay?${query}`);
  };
}

/** Fetch the frames of a record. */
export function recordFrames(record: string): FetchFrames {
  return (first, count, viewer) => post("/records/replay", { record, viewer, first, count });
}

export class Frames {
  readonly head: ReplayPage;
  readonly #fetchFrames: FetchFrames;
  readonly #loaded = new Map<Viewer, (ReplayFrame | undefined)[]>();
  readonly #requests = new Map<string, Promise<void>>();

  private constructor(fetchFrames: FetchFrames, head: ReplayPage, viewer: Viewer) {
    this.#fetchFrames = fetchFrames;
    this.head = head;
    this.#store(head, viewer);
  }

  /** Fetch the first page; throws what the server refuses. */
  static async load(fetchFrames: FetchFrames, viewer: Viewer): Promise<Frames> {
    return new Frames(fetchFrames, await fetchFrames(0, PAGE, viewer), viewer);
  }

  /** Return the frame after a ply; undefined where it is not loaded. */
  at(ply: number, viewer: Viewer): ReplayFrame | undefined {
    return this.#loaded.get(viewer)?.[ply];
  }

  /** Return the frame after a ply; it is fetched where it is not loaded, with some frames before it for the log. */
  async fetch(ply: number, viewer: Viewer): Promise<ReplayFrame> {
    const page = Math.floor(ply / PAGE);
    const before = ply % PAGE < PAGE / 2 && page > 0 ? [this.#page(page - 1, viewer)] : [];
    await Promise.all([this.#page(page, viewer), ...before]);
    const frame = this.at(ply, viewer);
    if (!frame) throw new RangeError(`no frame ${ply}`);
    return frame;
  }

  /** Fetch the next page in advance. */
  prefetch(ply: number, viewer: Viewer): void {
    const next = Math.min(this.head.plies, ply + PAGE / 2);
    if (this.at(next, viewer) === undefined) this.#page(Math.floor(next / PAGE), viewer).catch(() => undefined);
  }

  /** Return the events up to a ply, as far back as frames are loaded without a gap. */
  eventsUntil(ply: number, viewer: Viewer): LogEvent<GameName>[] {
    const pages: LogEvent<GameName>[][] = [];
    let count = 0;
    for (let back = ply; back >= 0 && count < MOST_EVENTS; back -= 1) {
      const frame = this.at(back, viewer);
      if (!frame) break;
      const events = eventsIn<GameName>(frame);
      pages.push(events);
      count += events.length;
    }
    return pages.reverse().flat();
  }

  #page(page: number, viewer: Viewer): Promise<void> {
    const key = `${viewer}.${page}`;
    const before = this.#requests.get(key);
    if (before) return before;
    const request = this.#fill(page * PAGE, Math.min(this.head.plies, (page + 1) * PAGE - 1), viewer);
    this.#requests.set(key, request);
    request.catch(() => this.#requests.delete(key));
    return request;
  }

  async #fill(first: number, last: number, viewer: Viewer): Promise<void> {
    let next = first;
    while (next <= last) {
      if (this.at(next, viewer)) {
        next += 1;
        continue;
      }
      const page = await this.#fetchFrames(next, last - next + 1, viewer);
      if (!page.frames.length) return;
      this.#store(page, viewer);
      next += page.frames.length;
    }
  }

  #store(page: ReplayPage, viewer: Viewer): void {
    const loaded = this.#loaded.get(viewer) ?? [];
    page.frames.forEach((frame, index) => (loaded[page.first + index] = frame));
    this.#loaded.set(viewer, loaded);
  }
}
