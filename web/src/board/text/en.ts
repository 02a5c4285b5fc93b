/** English text of the default board. */
import { capitalizeName, formatCount, joinWords, spaceName } from "../../text/en/phrases";

/** Verbs that are common actions of games, for sentences such as "Ann rolls"; another action is quoted. */
const VERBS = new Set(
  (
    "ask attack bank bet bid buy call challenge check claim discard double doubt draw fight fold hide hit hold keep leave look move open pass " +
    "pay peek play raise reroll roll score sell show split stand stay stop swap take trade wait"
  ).split(" "),
);
const third = (verb: string): string => (/(?:s|x|ch|sh|o)$/.test(verb) ? `${verb}es` : /[^aeiou]y$/.test(verb) ? `${verb.slice(0, -1)}ies` : `${verb}s`);

export const en = {
  plain: capitalizeName,
  inside: spaceName,
  list: (parts: readonly string[]) => joinWords(parts),
  yes: "Yes",
  no: "No",
  cards: {
    hidden: (count: number) => `${formatCount(count, "card")} face down`,
    none: "no cards",
    pile: (label: string, text: string) => `${label}: ${text}`,
  },
  dice: {
    hidden: (count: number) => `${count} hidden ${count === 1 ? "die" : "dice"}`,
    none: "no dice",
  },
  nothing: "nothing",
  hidden: { given: "hidden", open: "none yet" },
  track: (value: number, most: number) => `${value} of ${most}`,
  lastRoll: "Last roll",
  seat: { inTurn: "in turn" },
  dock: {
    region: "Your choices",
    title: "Your turn",
    pick: (kind: "card" | "die") => (kind === "card" ? "Pick cards, then confirm." : "Pick dice, then confirm."),
    pickOne: (kind: "card" | "die") => (kind === "card" ? "Pick a card, then confirm." : "Pick a die, then confirm."),
    pickKeys: "Arrow keys move, the space bar picks.",
    picks: "What can be picked",
    confirm: (what: string) => `Confirm: ${what}`,
    confirmNone: (kind: "card" | "die") => (kind === "card" ? "Confirm without a card" : "Confirm without a die"),
    clear: "Clear",
    waiting: (names: string) => `Waiting for ${names}.`,
    luck: "Luck decides…",
    part: (number: number) => `Part ${number}`,
  },
  end: { title: "Final scores", player: "Player", score: "Score", won: "winner" },
  /** Sentences about events. */
  says: {
    acted: (who: string, action: string) => (VERBS.has(action) ? `${who} ${third(action)}.` : `${who} chooses “${action}”.`),
    actedWith: (who: string, action: string, details: string) =>
      `${VERBS.has(action) ? `${who} ${third(action)}` : `${who} chooses “${action}”`}${details ? `: ${details}` : ""}.`,
    picked: (who: string, what: string) => `${who} chooses ${what}.`,
    actedHidden: (who: string) => `${who} has chosen.`,
    die: (faces: readonly number[]) => (faces.length === 1 ? `The die shows ${faces[0]}.` : `The dice show ${joinWords(faces)}.`),
    dealt: (what: string) => `Luck deals ${what}.`,
    dealtHidden: "Cards are dealt face down.",
    rolledHidden: "Dice are rolled in secret.",
    luck: (what: string) => `Luck decides: ${what}.`,
    luckHidden: "Luck has decided, in secret.",
    other: (event: string, details: string) => (details ? `${event}: ${details}.` : `${event}.`),
    otherOf: (who: string, event: string, details: string) => (details ? `${who}: ${event}, ${details}.` : `${who}: ${event}.`),
    detail: (label: string, value: string) => `${label} ${value}`,
  },
  odds: {
    score: "Expected score",
    luck: "As it is",
    exact: "exact",
    error: (bound: string) => `± ${bound}`,
    basis: (isExact: boolean, games: string) =>
      isExact ? "Exact: everything that can follow was counted." : `Estimated from ${games} played games for each choice; the errors are those of 95 %.`,
    play: (policy: string) =>
      ({ random: "Afterwards everybody plays at random.", greedy: "Afterwards everybody takes what is best now.", best: "Afterwards everybody plays perfectly." })[policy] ?? "",
    more: (count: number) => `${formatCount(count, "other choice")} not shown.`,
    waiting: "Working out the odds…",
    none: "There is nothing for you to choose now.",
    over: "The match is over.",
    watch: "The odds are for players: from what their seat knows.",
  },
  how: {
    rules: "The numbers of this match",
    rule: "Rule",
    here: "Here",
    possible: "Possible",
    standard: (value: string) => `usually ${value}`,
    between: (least: string, most: string) => `${least} to ${most}`,
    atLeast: (least: string) => `${least} or more`,
    atMost: (most: string) => `${most} or less`,
    any: "any",
    turn: "Your turn",
    turnLine: "The choices that are possible appear below the table. Nothing else can be done, so nothing can go wrong.",
    cardsLine: "Where a choice has cards or dice, click them on the table, then confirm.",
    keys: "Keys",
    keyLines: [
      { key: "1 … 9, 0", does: "make the choice with that number" },
      { key: "← →", does: "move between cards that can be picked" },
      { key: "Space", does: "picks a card" },
    ],
    noRules: "This game has no numbers to change.",
  },
};
