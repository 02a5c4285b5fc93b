/** The frames of a record, fetched in pages as they are wanted, each page once for each viewer. */
import { get, post } from "../api/http";
import type { AnyRules, Frame, GameName, Schema } from "../api/types";
import { heardIn, type HeardEvent } from "./table.svelte";

export type ReplayFrame = Frame & Pick<Schema<"ReplayFrame">, "line" | "by">;
export type Viewer = number | null;
export type ReplayPage = Omit<Schema<"Replay">, "rules" | "frames"> & { rules: AnyRules[GameName]; frames: ReplayFrame[] };
/** Asks for frames from one on; fewer may come than were asked for. */
export type Ask = (first: number, count: number, viewer: Viewer) => Promise<ReplayPage>;

export const PAGE = 50;
const MOST_HEARD = 200;

/** Ask for the frames of a match of this server. */
export function ofMatch(match: string): Ask {
  return (first, count, viewer) =>
    get(`/matches/${encodeURIComponent(match)}/replay?${new URLSearchParams({ first: `${first}`, count: `${count}`, ...(viewer === null ? {} : { viewer: `${viewer}` }) })}`);
}

/** Ask for the frames of a record. */
export function ofRecord(record: string): Ask {
  return (first, count, viewer) => post("/records/replay", { record, viewer, first, count });
}

export class Frames {
  readonly head: ReplayPage;
  readonly #ask: Ask;
  readonly #kept = new Map<Viewer, (ReplayFrame | undefined)[]>();
  readonly #asked = new Map<string, Promise<void>>();

  private constructor(ask: Ask, head: ReplayPage, viewer: Viewer) {
    this.#ask = ask;
    this.head = head;
    this.#keep(head, viewer);
  }

  /** Fetch the first page; what the server refuses is thrown. */
  static async of(ask: Ask, viewer: Viewer): Promise<Frames> {
    return new Frames(ask, await ask(0, PAGE, viewer), viewer);
  }

  /** The frame after a ply, if it is here already. */
  at(ply: number, viewer: Viewer): ReplayFrame | undefined {
    return this.#kept.get(viewer)?.[ply];
  }

  /** Return the frame after a ply, fetched where it is not here yet, with some before it, so that it can be told what led there. */
  async fetch(ply: number, viewer: Viewer): Promise<ReplayFrame> {
    const page = Math.floor(ply / PAGE);
    const before = ply % PAGE < PAGE / 2 && page > 0 ? [this.#page(page - 1, viewer)] : [];
    await Promise.all([this.#page(page, viewer), ...before]);
    const frame = this.at(ply, viewer);
    if (!frame) throw new RangeError(`no frame ${ply}`);
    return frame;
  }

  /** Fetch what comes next, so that it is there when it is wanted. */
  foresee(ply: number, viewer: Viewer): void {
    const next = Math.min(this.head.plies, ply + PAGE / 2);
    if (this.at(next, viewer) === undefined) this.#page(Math.floor(next / PAGE), viewer).catch(() => undefined);
  }

  /** Return what was heard up to a ply, as far back as frames are here without a gap. */
  heard(ply: number, viewer: Viewer): HeardEvent<GameName>[] {
    const pages: HeardEvent<GameName>[][] = [];
    let count = 0;
    for (let back = ply; back >= 0 && count < MOST_HEARD; back -= 1) {
      const frame = this.at(back, viewer);
      if (!frame) break;
      const events = heardIn<GameName>(frame);
      pages.push(events);
      count += events.length;
    }
    return pages.reverse().flat();
  }

  #page(page: number, viewer: Viewer): Promise<void> {
    const key = `${viewer}.${page}`;
    const before = this.#asked.get(key);
    if (before) return before;
    const asking = this.#fill(page * PAGE, Math.min(this.head.plies, (page + 1) * PAGE - 1), viewer);
    this.#asked.set(key, asking);
    asking.catch(() => this.#asked.delete(key));
    return asking;
  }

  async #fill(first: number, last: number, viewer: Viewer): Promise<void> {
    let next = first;
    while (next <= last) {
      if (this.at(next, viewer)) {
        next += 1;
        continue;
      }
      const page = await this.#ask(next, last - next + 1, viewer);
      if (!page.frames.length) return;
      this.#keep(page, viewer);
      next += page.frames.length;
    }
  }

  #keep(page: ReplayPage, viewer: Viewer): void {
    const kept = this.#kept.get(viewer) ?? [];
    page.frames.forEach((frame, index) => (kept[page.first + index] = frame));
    this.#kept.set(viewer, kept);
  }
}
