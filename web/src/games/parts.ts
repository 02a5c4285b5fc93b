/** What a game may have in the browser. Each part is left out where a game has none. */
import type { Component } from "svelte";
import type { AnyRules, GameName } from "../api/types";
import type { Thing } from "../lobby/samples";
import type { LogEvent, Table } from "../match/table.svelte";

/** `parts` of `games/<name>/index.ts`. Parts are only ever given tables of their own game: `any` stands for it where a shell shows whichever. */
export type GameParts<G extends GameName = any> = {
  /** The table: all that is seen and done. Without it, a match says that there is no board yet. */
  Board?: Component<{ table: Table<G> }>;
  /** The exact odds beside it, and the coach. */
  Odds?: Component<{ table: Table<G> }>;
  /** How to play, in a minute, with the numbers of the match. */
  How?: Component<{ rules: AnyRules[G] }>;
  /** An event as one line of the log, said to screen readers too; null where it says nothing new. Without it, the log has the names of events. */
  describe?: (entry: LogEvent<G>, table: Table<G>) => string | null;
};

/** `lobby` of `games/<name>/lobby/index.ts`: how a game is shown outside of its board. Colours are in its `look.css`, by `data-tile`. */
export type LobbyParts = {
  /** What lies in the game's picture. */
  sample: readonly Thing[];
  words: LobbyWords;
};

/** What is said about a game outside of its board. */
export type LobbyWords = {
  /** A number that makes people curious, and what it counts. */
  fact?: { number: string; line: string };
  /** The name of a seat, counted from 0. */
  seat?: (seat: number, seats: number) => string;
  /** A sentence about a match with this number of seats. */
  match?: (seats: number) => string;
  /** Names of presets of the rules. */
  presets?: Readonly<Record<string, string>>;
  /** Bots that only this game has. */
  bots?: Readonly<Record<string, { name: string; does: string }>>;
  /** What the workbench answers. */
  workbench?: string;
};
