/** The match page of Dice Hands. */
import type { GameParts } from "../parts";
import Board from "./Board.svelte";
import { describe } from "./describe";
import How from "./How.svelte";
import "./look.css";
import Odds from "./Odds.svelte";

export const parts: GameParts<"dice"> = { Board, Odds, How, describe };
