/** The match page of games without a folder of their own: everything is made from the schemas of the game. */
import type { GameParts } from "../games/parts";
import Board from "./Board.svelte";
import { describe } from "./describe";
import { loadTypes } from "./game_types";
import How from "./How.svelte";
import "./look.css";
import Odds from "./Odds.svelte";
import { loadOdds } from "./odds";

/** Load the default parts of a game; the odds panel is there if the game has a question `odds` about what a seat sees. */
export async function loadDefaultParts(game: string): Promise<GameParts> {
  const [, hasOdds] = await Promise.all([loadTypes(game), loadOdds(game).catch(() => false)]);
  return { Board, How, describe, look: "default-look", hasSeats: (table) => table.frame.chairs.length > 1, ...(hasOdds ? { Odds } : {}) };
}
