import type { GameParts } from "../parts";
import Board from "./Board.svelte";
import { describe } from "./describe";
import How from "./How.svelte";
import "./look.css";
import Odds from "./Odds.svelte";

/** The game master plays for nothing. */
const isRival = (seat: number): boolean => seat !== 0;

export const parts: GameParts<"fate"> = { Board, Odds, How, describe, isRival };
