/** The match page of the Combat Duel. */
import type { GameParts } from "../parts";
import AnyBoard from "./AnyBoard.svelte";
import AnyOdds from "./AnyOdds.svelte";
import { describe } from "./describe";
import How from "./How.svelte";
import "./look.css";

export const parts: GameParts<"duel"> = { Board: AnyBoard, Odds: AnyOdds, How, describe };
