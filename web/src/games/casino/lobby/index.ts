/** How Casino looks in lists of games, and what its seats, bots and rules are called there. */
import { cards } from "../../../lobby/samples";
import type { LobbyParts } from "../../parts";
import "./look.css";
import { words } from "./text";

export const lobby: LobbyParts = { sample: cards("10♦", "6♠", "4♣", "2♠"), words };
