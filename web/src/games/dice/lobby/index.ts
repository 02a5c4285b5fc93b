/** How Dice Hands looks in lists of games, and what its seats, bots and rules are called there. */
import type { LobbyParts } from "../../parts";
import "./look.css";
import { words } from "./text";

export const lobby: LobbyParts = { sample: [5, 5, 2, 5, 3].map((face) => ({ face, locked: face === 5 })), words };
