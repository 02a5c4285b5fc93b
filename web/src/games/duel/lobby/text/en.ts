/** Text about the Combat Duel outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "32", line: "ways to split a hand, and one is best" },
  seat: (seat, seats) => (seats === 1 ? "Fighter" : `Fighter ${seat + 1}`),
  match: (seats) => (seats === 1 ? "Against the opponents of the house." : "Against each other, both choosing in secret."),
  presets: {
    default: "As written",
    example: "The worked example",
    fresh: "A fresh deck every round",
    hidden: "The opponent's cards are hidden",
    offense_build: "A fighter with a strong weapon",
    balanced_build: "A fighter with weapon, armour and skill",
    defense_build: "A fighter with strong armour",
    criticals: "Critical hits from three of a kind on",
    abilities: "Skilled fighters with abilities",
    environment: "A fight in the rain",
    durability: "Weapons and armour wear",
    combos: "Attacks in a row add up",
  },
  bots: {
    all_attack: { name: "All attack", does: "only attacks" },
    all_defense: { name: "All defence", does: "only defends" },
    best_trade: { name: "Best trade", does: "makes the best trade" },
    four_one: { name: "Offence", does: "attacks with four cards" },
    balanced: { name: "Balanced", does: "attacks with two or three cards" },
    defensive: { name: "Defence", does: "attacks with one or two cards" },
  },
  workbench: "How duels end by how one fights, and all splits of a hand, ranked.",
};
