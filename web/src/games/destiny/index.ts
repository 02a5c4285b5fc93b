/** The match page of the Destiny Deck. */
import type { GameParts } from "../parts";
import Board from "./Board.svelte";
import { describe } from "./describe";
import How from "./How.svelte";
import Odds from "./Odds.svelte";
import "./look.css";

export const parts: GameParts<"destiny"> = { Board, Odds, How, describe };
