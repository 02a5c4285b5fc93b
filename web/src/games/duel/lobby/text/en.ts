/** Text about the Combat Duel outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "32", line: "ways to split a hand, and one is best" },
  seat: (seat, seats) => (seats === 1 ? "Fighter" : `Fighter ${seat + 1}`),
  match: (seats) => {
    if (seats === 1) return "Against the opponents of the house.";
    return seats === 2 ? "Against each other, both choosing in secret." : "Two teams, each fighter with a hand and a target of its own.";
  },
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
    teams_of_two: "Two against two",
    teams_of_three: "Three against three",
    teams_of_four: "Four against four",
    ally: "With an ally, whose hand is open to you",
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
