/** Text of the Combat Duel. */
import { spaceName } from "../../../text/en/phrases";

type Parts = { values: number; bonus: number; rank: string; gear: number; skill: number; critical?: number; ability?: number; combo?: number; environment?: number };

export const en = {
  sides: { attack: "Attack", defense: "Defence" },
  house: "The house",
  you: "You",
  round: "Round",
  roundOf: (round: number, rounds: number) => `Round ${round} of ${rounds}`,
  ofRounds: (rounds: number) => `of ${rounds}`,
  hp: "HP",
  hpOf: (hp: number, full: number | null) => (full === null ? `${hp} HP` : `${hp} of ${full} HP`),
  hitPointsOf: (name: string) => `Hit points of ${name}`,
  wouldLeave: (left: number) => (left > 0 ? `split leaves ${left}` : "split knocks out"),
  gear: {
    weapon: (weapon: number) => `Weapon ${weapon}`,
    armor: (armor: number) => `Armour ${armor}`,
    skill: (skill: number) => `Skill ${skill}`,
    worn: (now: string, full: number) => `${now} of ${full}`,
  },
  abilities: { guard: "Guard", riposte: "Riposte", focus: "Focus" } as Record<string, string>,
  combo: (streak: number) => `Combo ${streak}`,
  environments: { rain: "Rain", darkness: "Darkness", cover: "Cover" } as Record<string, string>,
  environment: (name: string, effects: string[]) => `${name}: ${effects.length ? effects.join(", ") : "no effect"}.`,
  adds: (side: string, number: number) => `${side.toLowerCase()} ${number < 0 ? "−" : "+"}${Math.abs(number)}`,
  multiplies: (side: string, factor: number) => `${side.toLowerCase()} × ${factor}`,
  difficulty: (difficulty: number) => `Difficulty ${difficulty}`,
  ready: "Ready",
  choosing: "Choosing…",
  damage: (hits: number) => (hits > 0 ? `−${hits}` : "blocked"),

  zone: (owner: string, side: string) => `${owner}: ${side}`,
  unknown: "?",
  hidden: "Hidden until both splits lie open",
  hiddenShort: "hidden",
  empty: { attack: "Drag cards here to attack", defense: "Drag cards here to defend" },
  nothingHere: "no cards",
  ranks: spaceName,
  parts: ({ values, bonus, rank, gear, skill, ability, combo, critical, environment }: Parts) =>
    [
      `${values} from cards`,
      ...(bonus ? [`${bonus} ${spaceName(rank)}`] : []),
      ...(gear ? [`${gear} gear`] : []),
      ...(skill ? [`${skill} skill`] : []),
      ...(ability ? [`${ability} ability`] : []),
      ...(combo ? [`${combo} combo`] : []),
      ...(critical ? [`${critical} critical hit`] : []),
      ...(environment ? [`${environment} environment`] : []),
    ]
      .join(" + ")
      .replaceAll("+ -", "− "),
  cardAttacks: (card: string) => `${card}: attacks`,
  cardDefends: (card: string) => `${card}: defends`,
  moved: (card: string, side: string) => `${card} to ${side.toLowerCase()}`,
  allOn: (side: string) => `All cards to ${side.toLowerCase()}`,

  blows: {
    deals: (name: string | null) => (name === null ? "you deal" : `${name} deals`),
    takes: (name: string | null) => (name === null ? "you take" : `${name} takes`),
    mean: "on average",
    meanExact: (fraction: string) => `on average, exactly ${fraction}`,
    none: "–",
  },
  exchange: (round: number) => `Round ${round}`,
  nextRound: "Next round",
  nextHint: "Enter goes on",

  fight: "Fight",
  fighting: "Fighting…",
  allAttack: "All attack",
  allDefense: "All defend",
  flee: "Flee",
  fleeTitle: "Flee from this duel?",
  fleeHouse: (score: number, experience: number) =>
    `The duel ends at once, and nobody wins. It pays a score of ${score}, ${experience} experience and no gold.`,
  fleeRival: "Who flees loses, unless both flee in the same round: then it is a draw.",
  fleeAnyway: "Flee",
  stay: "Stand and fight",
  keys: [
    { keys: "1–5", does: "move a card" },
    { keys: "A", does: "all attack" },
    { keys: "D", does: "all defend" },
    { keys: "Enter", does: "fight" },
    { keys: "F", does: "flee" },
  ],
  keysTitle: "Keys",
  cardHint: "Tap or click a card to move it to the other side, or drag it. Arrow keys walk along the hand; up attacks, down defends.",
  noSelections: "No more changes are allowed in this round: fight with the cards as they lie.",
  committed: "You are ready. Your split stays secret until the other fighter is ready, too.",
  waitingFor: (names: string[]) => `Waiting for ${names.join(" and ")}…`,
  areChoosing: (names: string[]) => `${names.join(" and ")} ${names.length > 1 ? "are" : "is"} choosing a split.`,
  dealing: "Hands are being dealt.",
  relevantSuit: (suit: string) => `Cards of ${suit} in the last hand raise the reward.`,

  team: {
    ours: "Your side",
    theirs: "The other side",
    side: (number: number) => `Side ${number + 1}`,
    out: "Out",
    attack: (name: string) => `Attack ${name}`,
    aim: "Attack",
    target: "Your target",
    targets: (name: string) => `attacks ${name}`,
    nowAttacks: (name: string) => `You attack ${name}`,
    attacks: (name: string, victim: string) => `${name} attacks ${victim}.`,
    lastRound: (dealt: number, victim: string, taken: number) => `last round: dealt ${dealt} to ${victim}, took ${taken}`,
    blow: (subject: string, dealt: number, victim: string) => `${subject} ${subject === "You" ? "deal" : "deals"} ${dealt} to ${victim}`,
    falls: (subject: string) => (subject === "You" ? "You are knocked out." : `${subject} is knocked out.`),
    win: (names: string[]) => `${names.join(" and ")} win`,
    roundOf: (round: number) => `Round ${round}`,
    committed: "You are ready. Your split and your target stay secret until all fighters are ready.",
    fallen: "You are knocked out. Your side fights on.",
    keys: [
      { keys: "1–5", does: "move a card" },
      { keys: "A", does: "all attack" },
      { keys: "D", does: "all defend" },
      { keys: "T", does: "next target" },
      { keys: "Enter", does: "fight" },
    ],
    cardHint: "Tap or click a card to move it to the other side. Arrow keys walk along the hand; up attacks, down defends.",
    odds: "Odds of this round",
    chanceToFall: (name: string) => `${name}: knocked out`,
    keeps: (hp: string, of: number) => `keeps ${hp} of ${of} HP on average`,
    assumes: "Exact for your split, if all others split by the best trade and attack the weakest opponent.",
    assumesAll: "Exact, if all split by the best trade and attack the weakest opponent.",
  },

  results: {
    victory: "Victory",
    defeat: "Defeat",
    draw: "Draw",
    fled: "Fled",
    wins: (name: string) => `${name} wins`,
    why: {
      knock_out: "by knock-out",
      double_knock_out: "both fighters went down",
      timeout: "after the last round, by hit points",
      flight: "by flight",
    } as Record<string, string>,
    score: "Score",
    gold: "Gold",
    experience: "Experience",
    rounds: "Rounds",
    left: "HP left",
  },

  events: {
    dealt: (subject: string, cards: string) => `${subject}: ${cards}.`,
    dealtYou: (cards: string) => `Your hand: ${cards}.`,
    readied: (attack: number, defense: number) => `The house attacks with ${attack} and defends with ${defense}.`,
    committed: (name: string) => `${name} is ready.`,
    committedYou: "You are ready.",
    exchanged: (round: number, one: string, other: string) => `Round ${round}: ${one}. ${other}.`,
    blow: (subject: string, dealt: number, victim: string, hp: number) =>
      `${subject} ${subject === "You" ? "deal" : "deals"} ${dealt}, ${victim} ${victim === "you" ? "have" : "has"} ${hp} HP left`,
    victim: { you: "you", house: "the house" },
    reshuffled: "The used cards are shuffled back into the decks.",
    ended: (verdict: string, why: string) => `${verdict}: ${why}.`,
    pays: (score: number, gold: number, experience: number) => ` Score ${score}, ${gold} gold, ${experience} experience.`,
  },

  odds: {
    split: "Your split",
    splitOf: (name: string) => `${name}'s split`,
    deals: "Deals",
    takes: "Takes",
    attack: "Attack",
    defense: "Defence",
    exact: "exact",
    exactMean: "exact mean",
    rank: "Rank",
    rankOf: (rank: number, of: number) => `${rank} of ${of}`,
    rankBy: { win: "by chance to win", gold: "by expected gold", damage: "by damage dealt less taken" },
    chance: "Chance to win with this split",
    chanceBest: "Chance to win with the best split",
    gold: "Expected gold with this split",
    goldBest: "Expected gold with the best split",
    fleeing: "Fleeing is worth",
    error: (error: string) => `± ${error}`,
    coach: "All splits, best first",
    coachSwitch: "Switch the coach on to see all 32 splits, best first.",
    coachRival: "Splits that none beats",
    coachSwitchRival: "Switch the coach on to see which splits are worth a thought.",
    by: "Best by",
    wants: { win: "Winning", gold: "Gold", damage: "Damage" },
    trade: "Trade",
    worth: "Win",
    worthGold: "Gold",
    attacks: "Attack",
    defends: "Defence",
    take: "Take",
    takeSplit: (defends: string) => (defends ? `Take this split: ${defends} defend` : "Take this split: all cards attack"),
    taken: "✓",
    none: "–",
    more: (count: number) => `Show all ${count}`,
    fewer: "Show fewer",
    fresh: "Valued as if every hand came from a full deck; the true decks run down.",
    unsolved:
      "Perfect play of a duel this long is not solved on this server (oddsmith duel odds does so once), so splits are ranked by damage " +
      "dealt less damage taken.",
    combos:
      "Perfect play with combos is not solved: the worth of a split depends on both streaks. So splits are ranked by damage dealt less " +
      "damage taken in this round.",
    hiddenHouse: "The house hides its split: these are means over all that it may do with a full deck.",
    rival: "The other hand is hidden. Nobody can say what a split deals or takes before both lie open; what yours comes to is certain.",
    frontier: "Splits worth a thought: no other split beats them in attack and in defence at once.",
    nothingToShow: "There is no split to weigh now.",
    used: (name: string, count: number) => `Used cards, ${name}: ${count}`,
    usedNone: "none yet",
    cannotSay: "This could not be worked out",
  },

  how: {
    title: "Split a hand of five between attack and defence, round after round, until somebody falls.",
    steps: [
      {
        title: "Read the other fighter",
        line:
          "The house lays its split open, so you see its attack and its defence before you choose. Another player hides them, and " +
          "so does the house in some rules.",
      },
      {
        title: "Split your hand",
        line: "Every card goes to attack or to defence: drag it, tap it, or press its number. The numbers of your split are shown at once.",
      },
      {
        title: "Fight",
        line: "Damage is the attack less the other's defence, both ways at once. What you deal is at least 1 by the usual rules.",
      },
      {
        title: "Win",
        line:
          "Knock the other fighter out. After the last round the greater share of hit points left wins. In the first rounds you may " +
          "flee instead.",
      },
    ],
    teams: "In teams every fighter also has a target: its attack goes against the defence of that one. All strike at once, who falls is out, and a side without fighters loses. Nobody flees.",
    numbersTitle: "What cards are worth",
    value: (rank: string, value: number) => `${rank} ${value}`,
    values: (values: string[]) => `Cards count: ${values.join(", ")}.`,
    bonusCounts: (share: string) =>
      `Cards on one side make a poker hand. Its bonus counts whole in attack, and with ${share} of it in defence.`,
    numbers: [
      "Pairs, two pairs, three and four of a kind count with any number of cards; straights, flushes and full houses need all five on " +
        "one side.",
      "Weapon and skill add to attack, armour and skill to defence, even to a side without cards.",
    ],
    optional: {
      abilities: (guard: number, riposte: number, focus: number) =>
        `Abilities by skill: guard from ${guard} (defence gets more of the bonus), riposte from ${riposte} (a hand in defence adds to ` +
        `attack), focus from ${focus} (an attack with few cards gets more).`,
      wear: (weapon: number, armor: number) => `Gear wears: a weapon loses ${weapon} and an armour ${armor} with every round of fighting.`,
      combos: (rank: string, bonus: number, most: number) =>
        `Combos: each attack in a row with a ${rank} or better adds ${bonus} to the next, up to ${most} of them.`,
    },
    bonusTitle: "Bonus of a hand in this match",
    bonusHand: "Hand",
    bonusPoints: "Bonus",
    paysTitle: "What it pays",
    pays:
      "A victory over the house pays gold and experience, more at a higher difficulty and with cards of the relevant suit in the " +
      "last hand. A quick victory with many hit points left has the highest score. Between two players there is only the honour.",
    keysTitle: "Keys",
  },
};
