/** The match page of games without a folder of their own: everything is made from the schemas of the game. */
import { get } from "../api/http";
import type { Schema } from "../api/types";
import type { GameParts } from "../games/parts";
import { fetchOnce } from "../rules/rules_api";
import Board from "./Board.svelte";
import { describe } from "./describe";
import { loadTypes } from "./game_types";
import How from "./How.svelte";
import "./look.css";
import Odds from "./Odds.svelte";
import { ODDS } from "./odds";

/** Load the default parts of a game; the odds panel is there if the game has a question of that name. */
export async function loadDefaultParts(game: string): Promise<GameParts> {
  const questions = fetchOnce(`questions of ${game}`, () => get<Schema<"QuestionSummary">[]>(`/games/${game}/questions`));
  const [, listed] = await Promise.all([loadTypes(game), questions.catch(() => [])]);
  const hasOdds = listed.some(({ name }) => name === ODDS);
  return { Board, How, describe, look: "default-look", hasSeats: (table) => table.frame.chairs.length > 1, ...(hasOdds ? { Odds } : {}) };
}
