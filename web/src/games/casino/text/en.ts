/** Text of Casino: board, moves, odds, and how to play. */
import { formatCount, joinWords } from "../../../text/en/phrases";

type MoveKind = "build" | "build_marriage" | "capture" | "extend" | "trail" | "two_card_capture";

function does(who: string | null, verb: string, third: string): string {
  return who === null ? `You ${verb}` : `${who} ${third}`;
}

/** Return a sentence about points, with what a tie means where the most of something is worth any. */
function withTie(parts: string): string {
  const sentence = `${parts[0]?.toUpperCase() ?? ""}${parts.slice(1)}.`;
  return parts.includes("most ") ? `${sentence} In a tie for the most, nobody gets the points.` : sentence;
}

export const en = {
  joinWords,
  cards: (count: number) => formatCount(count, "card"),
  values: ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10, J, Q, K"],
  table: {
    table: "Table",
    empty: "The table is empty.",
    hand: "Your hand",
    handOf: (name: string) => `${name}'s hand`,
    noHand: "No cards in hand: the next deal comes.",
    noHandLast: "You have played all your cards.",
    pile: (count: number) => `Pile: ${formatCount(count, "card")}`,
    ownPile: (count: number) => `Your pile: ${formatCount(count, "card")}`,
    pileOf: (name: string, count: number) => `${name}'s pile: ${formatCount(count, "card")}`,
    sweeps: (count: number) => formatCount(count, "sweep"),
    stock: (count: number) => `Stock: ${formatCount(count, "card")}`,
    stockShort: "Stock",
    stockEmpty: "No stock: last deal",
    deal: (deal: number) => `Deal ${deal}`,
    lastCapture: "captured last",
    lastCaptureLine: "Who captured last takes what is left at the end.",
    build: (cards: string[], value: number | null, owner: string) =>
      `build of ${joinWords(cards)}${value === null ? "" : `, worth ${value}`}, ${owner}`,
    ownedByYou: "yours",
    ownedBy: (name: string) => `by ${name}`,
    onTurn: "on turn",
    sweep: "Sweep!",
    sweepLine: (name: string | null) => `${does(name, "sweep", "sweeps")} the table.`,
    lastMoves: "Last moves",
    points: (points: number) => formatCount(points, "point"),
    beginning: "The cards are dealt.",
  },
  draft: {
    yourTurn: "Drag a card, or pick one: what can be done with it lights up.",
    waiting: (name: string) => `${name} is choosing…`,
    watching: "You are watching.",
    away: "The table waits for the connection.",
    over: "All cards are played.",
    showing: "Moves are shown…",
    notTold: (sentence: string) => `What a drag can mean is not told: ${sentence}. Choose from all moves below.`,
    asking: "Asking what can be done…",
    picked: (thing: string) => `${thing} is picked. Choose where it goes; Escape puts it back.`,
    putBack: "Put back",
    isPutBack: (thing: string) => `${thing} is put back.`,
    open: "Open table",
    openTrail: (card: string) => `Trail ${card}`,
    stack: "Your stack",
    stackOf: (name: string) => `${name}'s stack`,
    stackSaid: (name: string, cards: string[]) => `${name} puts together ${joinWords(cards)}.`,
    stackValue: (value: number) => `Sum ${value}. Nothing is played yet.`,
    stackHint: "Drop more on your stack, ask what can be done with it, or take things back. Nothing is played yet.",
    openDialog: "What can I do?",
    cancelStack: "Cancel stack",
    takeBack: (thing: string) => `Take back ${thing}`,
    cancelled: "The stack is cancelled.",
    gone: (sentence: string) => `Your stack is gone: ${sentence}.`,
    choose: (thing: string, target: string) => `${thing} on ${target}`,
    chooseOpen: (thing: string) => `Lay ${thing} down?`,
    chooseLine: "What shall it be?",
    notPossible: "Not possible here",
    all: "All moves",
    allCount: (count: number) => `All moves (${count})`,
    allHint: "Everything that is legal now, in words.",
    allNone: "It is not your turn: there is nothing to choose.",
    more: (count: number) => `Show ${count} more`,
    filter: "Only with",
    anyCard: "any card",
    buildNamed: (value: number | null) => (value === null ? "a build" : `the build of ${value}`),
  },
  /** Labels of drops on their targets. */
  meant: {
    staging: "stack",
    capture: "capture",
    build: "build",
    extension: "extend",
    trail: "trail",
    edit: "edit",
    cancel: "cancel",
    choices: (count: number) => `${count} choices`,
  },
  kinds: {
    capture: "Capture",
    two_card_capture: "Two-card capture",
    build_marriage: "Build marriage",
    build: "Build",
    extend: "Extend",
    trail: "Trail",
  } satisfies Record<MoveKind, string>,
  move: {
    capture: (hand: string, taken: string[]) => `${hand} takes ${joinWords(taken)}`,
    two_card_capture: (hand: string, taken: string[]) => `${hand} take ${joinWords(taken)}`,
    build: (hand: string, with_: string[]) => `${hand} builds with ${joinWords(with_)}`,
    build_marriage: (hand: string, with_: string[]) => `${hand} marries ${joinWords(with_)}`,
    extend: (hand: string, builds: string[]) => `${hand} extends ${joinWords(builds)}`,
    trail: (hand: string) => `Lay down ${hand}`,
    build_: (cards: string, value: number | null) => (value === null ? `[${cards}]` : `[${cards}] worth ${value}`),
  },
  events: {
    dealt: (cards: string[]) => `You are dealt ${cards.join(" ")}.`,
    dealtTo: (name: string, cards: string[]) => `${name} is dealt ${cards.join(" ")}.`,
    laid: (deal: number, cards: string[]) => (cards.length ? `Deal ${deal}: ${cards.join(" ")} on the table.` : `Deal ${deal}.`),
    captures: (who: string | null, taken: string[], hand: string[], marriage: boolean) =>
      `${does(who, "take", "takes")} ${joinWords(taken)} with ${joinWords(hand)}${marriage ? ", a marriage" : ""}.`,
    builds: (who: string | null, cards: string[]) => `${does(who, "build", "builds")} with ${joinWords(cards)}.`,
    marries: (who: string | null, cards: string[]) => `${does(who, "build", "builds")} a marriage of ${joinWords(cards)}.`,
    extends: (who: string | null, hand: string[]) => `${does(who, "extend", "extends")} a build with ${joinWords(hand)}.`,
    trails: (who: string | null, hand: string[]) => `${does(who, "trail", "trails")} ${joinWords(hand)}.`,
    sweeps: (who: string | null) => `${does(who, "sweep", "sweeps")} the table!`,
    cleared: (who: string | null, count: number) =>
      `${does(who, "captured last and take", "captured last and takes")} the last ${formatCount(count, "card")}.`,
    stays: (count: number) => `Nobody ever captured: the last ${formatCount(count, "card")} stay on the table.`,
    ended: (points: string[]) => `The game is over: ${points.join(", ")}.`,
    points: (name: string, points: number) => `${name} ${points}`,
  },
  scores: {
    title: "Score",
    soFar: "Points so far",
    soFarHint: "As if the game were over now.",
    cards: "Cards",
    spades: "Spades",
    sweeps: "Sweeps",
    points: "Points",
    parts: "What the points are for",
    part: {
      "most cards": "Most cards",
      "most spades": "Most spades",
      cards: "Enough cards",
      spades: "Enough spades",
      "10♦": "10♦",
      "2♠": "2♠",
      aces: "Aces",
      sweeps: "Sweeps",
    } as Record<string, string>,
    none: "–",
    winner: "wins",
    order: "First by points, then by spades, then by cards.",
  },
  odds: {
    over: "The game is over: there is nothing left to chance.",
    holding: "Who holds what",
    holdingHint: "The chance to hold at least one card of a value. All exact.",
    value: "Value",
    nextDeal: "Next deal",
    nextDealNone: "The stock is empty: this is the last deal.",
    nextDealLine: (deal: number, size: number) =>
      `Deal ${deal} brings each player ${formatCount(size, "card")}; a card that you name is dealt to you with`,
    taking: "What can be taken",
    takingYours: "The chance that somebody takes it, as it lies, before you come again.",
    takingNext: (name: string) => `The chance that ${name} can take it, as it lies.`,
    takingNobody: "Nobody comes before you.",
    takingNone: "Nothing lies on the table.",
    one: (percent: string) => `with one card ${percent}`,
    two: (percent: string) => `with two cards ${percent}`,
    unseen: (count: number) => `${formatCount(count, "card")} unseen`,
    updating: "Counting…",
  },
  coach: {
    title: "Your moves",
    hint: "By sure points, then by what the next player can do after it. Exact, but no plan.",
    ending: "The last deal, solved",
    endingHint: "Every card is known now. What each move comes to when both play their best. Exact.",
    endingBest: (best: number) => (best === 1 ? "One move is best." : `${best} moves are best.`),
    notYours: "Your moves are judged when it is your turn.",
    points: (points: number) => (points ? `+${formatCount(points, "point")}` : "no sure points"),
    takes: (cards: number, spades: number) => `${formatCount(cards, "card")}${spades ? `, ${formatCount(spades, "spade")}` : ""}`,
    sweep: "sweep",
    leaves: (name: string) => `${name} can then capture`,
    leavesSweep: "and sweep",
    nobody: "Nobody captures after it before you come again.",
    wins: "wins",
    shares: "shares the win",
    loses: "loses",
    margin: (margin: number) => (margin === 0 ? "even points" : `${margin > 0 ? "ahead" : "behind"} by ${Math.abs(margin)}`),
    line: (line: string[]) => `then ${line.join("  ")}`,
    more: (count: number) => `Show ${count} more`,
  },
  how: {
    aim: "Take cards from the table. At the end the cards in your pile are worth points; who has the most wins.",
    values: (short: boolean) =>
      short
        ? "An ace is worth 1, any other card its number. There are no jacks, queens and kings."
        : "An ace is worth 1, a card from 2 to 10 its number, and jack, queen and king 10.",
    title: { turn: "One move a turn", points: "Points", controls: "How to choose", stack: "The stack" },
    moves: {
      capture: (own: boolean, targets: number): readonly [string, string] => [
        "Capture",
        `A hand card takes a loose card of its value, loose cards that add up to it, all loose cards of its value if there are at ` +
          `least three, or a build of that value${own ? "" : " that is not yours"}` +
          `${targets > 1 ? `; up to ${targets} of these at once` : ""}.`,
      ],
      twoCardCapture: (own: boolean): readonly [string, string] => [
        "Two-card capture",
        `Two hand cards together take one loose card, or one build${own ? "" : " that is not yours"}, that is worth their sum.`,
      ],
      build: (own: boolean): readonly [string, string] => [
        "Build",
        "A hand card and loose cards that add up to at most 10 become a pile that is taken whole or not at all. It is yours, which does " +
          `not stop others from taking it${own ? "" : "; you cannot take it yourself"}.`,
      ],
      marriage: ["Marriage", "King and queen of one suit can be built, too. Only two cards worth 10 take them."] as const,
      extend: (own: boolean, takes: boolean): readonly [string, string] => [
        "Extend",
        `A hand card on ${own ? "a build, your own or another's," : "another's build"} raises its value, up to 10` +
          `${takes ? ", and the build is then yours" : ""}.`,
      ],
      trail: (where: string): readonly [string, string] => ["Trail", `Otherwise lay a card down${where}.`],
      trails: {
        round1: ". In the first deal only a card that can do nothing else",
        always: ", if it can do nothing else",
        never: ", whatever else it could do",
      },
      lastCard: ["Last card", "Your last card of the game must capture, build or extend if it can."] as const,
    },
    sweep: "Whoever captures everything on the table has a sweep. When all cards are played, what is left goes to whoever captured last.",
    points: {
      all: (parts: string[]) => withTie(joinWords(parts)),
      two: (parts: string[]) => withTie(`two players: ${joinWords(parts)}`),
      more: (parts: string[]) => withTie(`three or four: ${joinWords(parts)}`),
      parts: {
        mostCards: "most cards",
        mostSpades: "most spades",
        ace: "each ace",
        sweep: "each sweep",
        spades: (count: number) => `${count} spades or more`,
        cards: (count: number) => `${count} cards or more`,
        exactly: (count: number) => `exactly ${count} cards`,
      },
    },
    drag:
      "Drag a card onto a card, a build or the open table. Or click it, then click where it goes. What is possible lights up, and " +
      "says what it would be.",
    keys: "By keyboard: Tab and the arrows move, Enter picks and drops, Escape puts back. “All moves” lists everything in words.",
    stack:
      "Drop loose cards on each other to gather them in a stack; then drop a hand card on it, or ask what can be done. Everybody " +
      "sees your stack; nothing is played until you choose a move.",
    more: "Matches can have other rules: the whole rules are in the documentation.",
  },
};
