/** Text about the Fate Deck outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "18", line: "cards, and a deck that remembers them" },
  seat: (seat) => (seat === 0 ? "Game master" : `Player ${seat}`),
  match: (seats) =>
    seats === 2
      ? "A game master calls for checks, and one player draws."
      : `A game master calls for checks, and ${seats - 1} players draw from one deck.`,
  presets: {
    default: "Cards are added up",
    best: "The best card counts",
    worst: "The worst card counts",
    open: "Anyone may call for a check",
    adventure: "Characters with talents, and stakes",
  },
  bots: {
    sensible: { name: "Sensible", does: "calls checks that can go either way, and uses abilities where they are worth it" },
  },
  workbench: "Totals, triggers and abilities, from a fresh deck or one that you know.",
};
