/** The games of this server as it lists them, fetched once for all pages. */
import { words } from "../text";
import { listGames } from "./matches";
import type { GameSummary } from "./types";

export class Games {
  /** Null until they came. */
  listed = $state.raw<readonly GameSummary[] | null>(null);
  /** Why they could not be fetched; null where they came, or are on their way. */
  error = $state.raw<unknown>(null);
  #asking: Promise<readonly GameSummary[]> | null = null;

  /** Return the games. They are fetched at the first call, and again at the first one after a failure, which is thrown. */
  load(): Promise<readonly GameSummary[]> {
    this.#asking ??= this.#fetch();
    return this.#asking;
  }

  /** Whether it is known what the games are called, or that it cannot be known now. */
  get isSettled(): boolean {
    return this.listed !== null || this.error !== null;
  }

  find(game: string): GameSummary | undefined {
    return this.listed?.find((one) => one.game === game);
  }

  /** Return what a game is called: empty until the server has said it, and its plain name where the server does not. */
  title(game: string): string {
    return this.find(game)?.title ?? (this.isSettled ? words.common.plain(game) : "");
  }

  /** Return the names of the first seats, those that play for nothing. */
  roles(game: string): readonly string[] {
    return this.find(game)?.roles ?? [];
  }

  async #fetch(): Promise<readonly GameSummary[]> {
    this.error = null;
    try {
      this.listed = await listGames();
      return this.listed;
    } catch (error) {
      this.#asking = null;
      this.error = error;
      throw error;
    }
  }
}

export const games = new Games();
