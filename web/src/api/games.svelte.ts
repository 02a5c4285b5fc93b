/** The games of this server as it lists them, fetched once for all pages. */
import { words } from "../text";
import { listGames } from "./matches";
import type { GameSummary } from "./types";

export class Games {
  /** Null until they are loaded. */
  all = $state.raw<readonly GameSummary[] | null>(null);
  /** Why they could not be fetched; null where they are loaded, or being loaded. */
  error = $state.raw<unknown>(null);
  #request: Promise<readonly GameSummary[]> | null = null;

  /** Return the games. They are fetched at the first call, and again at the first one after a failure, which is thrown. */
  load(): Promise<readonly GameSummary[]> {
    this.#request ??= this.#fetch();
    return this.#request;
  }

  /** Whether loading has ended, with or without success. */
  get isSettled(): boolean {
    return this.all !== null || this.error !== null;
  }

  find(game: string): GameSummary | undefined {
    return this.all?.find((one) => one.game === game);
  }

  /** Return the title of a game: empty until it is loaded, and made from its name where the server has none. */
  title(game: string): string {
    return this.find(game)?.title ?? (this.isSettled ? words.common.plain(game) : "");
  }

  /** Return the names of the first seats, which are roles without a score. */
  roles(game: string): readonly string[] {
    return this.find(game)?.roles ?? [];
  }

  async #fetch(): Promise<readonly GameSummary[]> {
    this.error = null;
    try {
      this.all = await listGames();
      return this.all;
    } catch (error) {
      this.#request = null;
      this.error = error;
      throw error;
    }
  }
}

export const games = new Games();
