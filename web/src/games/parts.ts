/** The plug-in of a game in the browser. Every part is optional; a game without a folder has the parts of `board/`. */
import type { Component } from "svelte";
import type { AnyRules, GameName } from "../api/types";
import type { Thing } from "../lobby/samples";
import type { LogEvent, Table } from "../match/table.svelte";

/** `parts` of `games/<name>/index.ts`: its match page. Parts get tables of their own game only; the game is `any` in shared code. */
export type GameParts<G extends GameName = any> = {
  /** The board. */
  Board?: Component<{ table: Table<G> }>;
  /** The odds panel, with the coach. */
  Odds?: Component<{ table: Table<G> }>;
  /** How to play, with the numbers of the match's rules. */
  How?: Component<{ rules: AnyRules[G]; game: G }>;
  /** A class of its page, for colours; a game with a folder has them in its `look.css`. */
  look?: string;
  /** Whether the board itself shows who sits where, and whose turn it is. */
  hasSeats?: (table: Table<G>) => boolean;
  /** Return an event as a line of the log and the live region; null to omit it. Without it, the log shows names of events. */
  describe?: (entry: LogEvent<G>, table: Table<G>) => string | null;
};

/** `lobby` of `games/<name>/lobby/index.ts`: how a game is shown outside of its board. Colours are in its `look.css`, by `data-tile`. */
export type LobbyParts = {
  /** The cards or dice of the game's picture. */
  sample: readonly Thing[];
  words: LobbyWords;
  /** The preset and the number of seats with which a new match opens; by default the default rules, and the fewest seats. */
  opening?: { preset?: string; seats?: number };
};

/** The text about a game outside of its board. */
export type LobbyWords = {
  /** A notable number, and what it counts. */
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
