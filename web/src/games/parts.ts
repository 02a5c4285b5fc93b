/** The rooms of a game in the browser: the same names in every house, loaded when the game is. */
import type { Component } from "svelte";
import type { AnyRules, GameName } from "../api/types";
import type { HeardEvent, Table } from "../match/table.svelte";

/** Parts are only ever given tables of their own game: `any` stands for it where a shell shows whichever. */
export type GameParts<G extends GameName = any> = {
  /** The table: all that is seen and done. */
  Board: Component<{ table: Table<G> }>;
  /** The exact odds beside it, and the coach. */
  Odds: Component<{ table: Table<G> }>;
  /** How to play, in a minute, with the numbers of the match. */
  How: Component<{ rules: AnyRules[G] }>;
  /** An event as one line of the log, said to screen readers too; null where it says nothing new. */
  describe: (heard: HeardEvent<G>, table: Table<G>) => string | null;
  /** Whether a seat plays to win; every seat does, unless told. */
  isRival?: (seat: number) => boolean;
};

export const PARTS: { [G in GameName]: () => Promise<{ parts: GameParts<G> }> } = {
  destiny: () => import("./destiny"),
  duel: () => import("./duel"),
  dice: () => import("./dice"),
  fate: () => import("./fate"),
  casino: () => import("./casino"),
};
