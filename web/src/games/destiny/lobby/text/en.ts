/** Text about the Destiny Deck outside of its board. */
import type { LobbyWords } from "../../../parts";

export const en: LobbyWords = {
  fact: { number: "2,598,960", line: "hands, every one of them counted" },
  seat: (seat, seats) => {
    if (seats > 2) return `Outlaw ${seat + 1}`;
    return seats === 1 ? "Outlaw" : seat === 0 ? "Attacker" : "Defender";
  },
  match: (seats) => {
    if (seats > 2) return "A gauntlet: one opponent after another, as far as each dares.";
    return seats === 1 ? "A day of crime: one outlaw, as much gold as the day brings." : "A showdown: two outlaws, one draw each.";
  },
  presets: { default: "As written", printed_table: "Skills by the printed table", royal: "A royal flush always wins", gang_war: "Gang war", defense: "Gang war for a territory", checks: "Skill checks in turn", gauntlet: "A gauntlet of NPCs", crimes_only: "Crimes only" },
  workbench: "Totals of a draw, degrees of success, contests, curves by skill, gang wars.",
};
