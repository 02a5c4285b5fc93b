/** The list of the server's matches, page by page; it refreshes itself while the page is visible. */
import { RefusalError } from "../api/http";
import { listMatches } from "../api/matches";
import type { Summary } from "../api/types";

export type MatchFilter = { game: string; status: string };

const PAGE = 20;
const REFRESH_MS = 8_000;
const LONGEST_REFRESH_MS = 60_000;

/** Merge two lists of matches, the last changed first; `now` replaces what is in both. */
export function mergeMatches(before: readonly Summary[], now: readonly Summary[]): Summary[] {
  const newer = new Map(now.map((one) => [one.match, one]));
  const others = before.filter((one) => !newer.has(one.match));
  return [...now, ...others].sort((one, other) => other.changed_at - one.changed_at || (one.match < other.match ? 1 : -1));
}

export class MatchList {
  filter = $state.raw<MatchFilter>({ game: "", status: "" });
  matches = $state.raw<Summary[] | null>(null);
  error = $state.raw<unknown>(null);
  updatedAt = $state(0);
  busy = $state(false);

  #before = $state<string | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #refreshDelay = REFRESH_MS;
  #requests = 0;
  #closed = false;

  get hasMore(): boolean {
    return this.#before !== null;
  }

  /** Load the matches of another filter. */
  async show(filter: MatchFilter): Promise<void> {
    this.filter = filter;
    this.matches = null;
    this.#before = null;
    await this.refresh();
  }

  /** Load the first page again; further pages stay. */
  async refresh(): Promise<void> {
    await this.#fetchPage(null);
  }

  /** Load the next page. */
  async more(): Promise<void> {
    if (this.#before !== null) await this.#fetchPage(this.#before);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    document.removeEventListener("visibilitychange", this.#onVisible);
  }

  constructor() {
    document.addEventListener("visibilitychange", this.#onVisible);
  }

  #onVisible = (): void => {
    if (document.visibilityState === "visible" && this.updatedAt) void this.refresh();
  };

  async #fetchPage(before: string | null): Promise<void> {
    const request = ++this.#requests;
    clearTimeout(this.#timer);
    this.busy = true;
    const { game, status } = this.filter;
    try {
      const page = await listMatches({ game, status, limit: PAGE, ...(before ? { before } : {}) });
      if (request !== this.#requests) return;
      if (this.matches === null || before !== null) this.#before = page.before;
      this.matches = this.#mergePage(page.matches, before);
      this.error = null;
      this.updatedAt = Date.now();
      this.#refreshDelay = REFRESH_MS;
    } catch (error) {
      if (request !== this.#requests) return;
      this.error = error;
      const wait = error instanceof RefusalError && error.retryAfter ? error.retryAfter * 1_000 : 0;
      this.#refreshDelay = Math.min(LONGEST_REFRESH_MS, Math.max(wait, this.#refreshDelay * 2));
    }
    this.busy = false;
    if (!this.#closed) this.#timer = setTimeout(() => this.#refreshIfVisible(), this.#refreshDelay);
  }

  /** Merge a page into the list; an entry that belongs on the first page and is not there has changed its status, and is dropped. */
  #mergePage(page: Summary[], before: string | null): Summary[] {
    if (this.matches === null) return page;
    if (before !== null) return mergeMatches(this.matches, page);
    const oldest = page.at(-1)?.changed_at ?? Infinity;
    const isWhole = page.length < PAGE;
    return mergeMatches(isWhole ? [] : this.matches.filter((one) => one.changed_at < oldest), page);
  }

  #refreshIfVisible(): void {
    if (document.visibilityState === "visible") void this.refresh();
  }
}
