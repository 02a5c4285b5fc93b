/** Text about Casino outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "52", line: "cards, and endings solved to the last of them" },
  seat: (seat) => (seat === 0 ? "Player 1, leads" : `Player ${seat + 1}`),
  match: (seats) => (seats === 2 ? "Head to head." : `${seats} players, each for themselves.`),
  presets: { default: "As written", seed: "As first written down", short: "Short deck", traditional: "Traditional captures" },
  workbench: "Who holds what, what can be taken, and what each move exposes.",
};
