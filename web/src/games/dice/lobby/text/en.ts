/** Text about Dice Hands outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "7,776", line: "rolls of five dice, and what to keep of each" },
  seat: () => "Player",
  match: () => "A run against targets that grow.",
  presets: { default: "The first hand that fits counts", best_score: "The best hand counts" },
  workbench: "Frequencies of hands, scores, and what rerolls do for a target.",
};
