/** The Fate Deck in lists of games: its picture, and the names of its seats, bots and presets. */
import { cards } from "../../../lobby/samples";
import type { LobbyParts } from "../../parts";
import "./look.css";
import { words } from "./text";

export const lobby: LobbyParts = { sample: cards(null, null, "3♥", "A♠"), words, opening: { preset: "adventure", seats: 4 } };
