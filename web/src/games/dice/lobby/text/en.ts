/** Text about Dice Hands outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "7,776", line: "rolls of five dice, and what to keep of each" },
  seat: () => "Player",
  match: () => "A run of rounds with targets that grow.",
  presets: { default: "Twelve rounds; the first hand that fits counts", best_score: "Twelve rounds; the best hand counts", endless: "As far as you get; the first hand that fits counts" },
  workbench: "Frequencies of hands, scores, and what rerolls do for a target.",
};
