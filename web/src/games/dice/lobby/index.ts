/** Dice Hands in lists of games: its picture, and the names of its seats, bots and presets. */
import type { LobbyParts } from "../../parts";
import "./look.css";
import { words } from "./text";

export const lobby: LobbyParts = { sample: [5, 5, 2, 5, 3].map((face) => ({ face, locked: face === 5 })), words };
