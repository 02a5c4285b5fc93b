/** Text of the Destiny Deck: outlaws, crimes, draws, odds, and how to play. */
import { capitalizeName, titleName } from "../../../text/en/phrases";
import type { Action } from "../questions";

function countPoints(points: string): string {
  return points === "1" ? "1 point" : `${points} points`;
}

/** The action of a run, as a title. */
function nameAction(action: Action): string {
  switch (action.type) {
    case "attempt":
      return capitalizeName(action.crime);
    case "check":
      return en.checks.named(capitalizeName(action.check));
    case "challenge":
      return en.contests.against(capitalizeName(action.npc));
    case "raid":
      return en.wars.raidNamed(action.npc.replaceAll("_", " "));
    case "defend":
      return en.wars.defendNamed(action.npc.replaceAll("_", " "));
    case "travel":
      return en.trail.travelTo(titleName(action.place));
    case "buy":
      return en.trail.buyNamed(action.buff.replaceAll("_", " "));
    case "hire":
      return en.wars.hireNamed(titleName(action.outlaw));
    default:
      return capitalizeName(action.type);
  }
}

export const en = {
  actionNamed: nameAction,
  /** Names of the default rules; custom rules may have others. */
  outlaw: titleName,
  place: titleName,
  crime: capitalizeName,
  skill: capitalizeName,
  item: capitalizeName,
  buff: capitalizeName,
  npc: capitalizeName,
  sentence: (text: string) => text.charAt(0).toUpperCase() + text.slice(1),
  rank: capitalizeName,
  source: (source: string) => {
    const found = /^(item|buff) ([a-z0-9_]+)(?:, (.+))?$/.exec(source);
    if (!found) return capitalizeName(source);
    const [, , name = "", boosted] = found;
    return boosted ? `${capitalizeName(name)}, for a ${boosted}` : capitalizeName(name);
  },
  suits: { spades: "spades", hearts: "hearts", clubs: "clubs", diamonds: "diamonds" } as Record<string, string>,
  degrees: {
    critical_success: "Critical success",
    success: "Success",
    failure: "Failure",
    critical_failure: "Critical failure",
  } as Record<string, string>,
  degreesShort: { critical_success: "Critical", success: "Success", failure: "Failure", critical_failure: "Disaster" } as Record<
    string,
    string
  >,
  signs: { critical_success: "★", success: "✓", failure: "✗", critical_failure: "☠" } as Record<string, string>,
  money: (amount: string) => (amount.startsWith("−") ? `−$${amount.slice(1)}` : `$${amount}`),
  gain: (amount: string) => (amount.startsWith("−") ? `−$${amount.slice(1)}` : `+$${amount}`),
  experienceGain: (amount: string) => `+${amount} experience`,
  duration: (seconds: number) => {
    const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
    if (hours && minutes) return `${hours} h ${minutes} min`;
    if (hours) return `${hours} h`;
    return minutes ? `${minutes} min` : `${seconds} s`;
  },

  status: {
    title: "The run so far",
    energy: "Energy",
    energyOf: (energy: number, most: number) => `${energy} of ${most}`,
    gold: "Purse",
    experience: "Experience",
    place: "Place",
    time: "Time left",
    buffs: "Under the influence",
    buffLeft: (buff: string, left: string) => `${buff}: ${left} left`,
    noBuffs: "Stone sober",
  },
  choosing: {
    title: "Who rides out?",
    line: "Five cards decide each crime. An outlaw's skills turn suits into points.",
    contestTitle: "Whom do you send?",
    contestLine: "Both choose unseen. Then each draws five cards; the higher total wins.",
    watching: "An outlaw is being chosen.",
    attacks: (winsTies: boolean) => (winsTies ? "You attack: a tie is yours." : "You attack: a tie goes to the defender."),
    defends: (winsTies: boolean) => (winsTies ? "You defend: a tie is yours." : "You defend: a tie goes to the attacker."),
    wanted: "Wanted",
    choose: "Choose",
    chooseNamed: (outlaw: string) => `Choose ${outlaw}`,
    skills: "Skills",
    level: "level",
    unskilled: "No skills, no fame, nothing to lose.",
    items: "Carries",
    from: "Last seen at",
    nowhere: "Last seen nowhere",
    perCard: "Points for each card drawn",
    chances: "Chance of success",
    against: "Chance to win against",
  },
  sheet: {
    title: "The outlaw",
    skills: "Skills",
    perCard: "Each card adds",
    perCardHint: "With everything that works here and now",
    items: "Carries",
    nothing: "Nothing",
    location: (place: string) => `${place} adds`,
    noBonus: "nothing",
  },
  crimes: {
    title: "Crimes",
    threshold: "Needs",
    energy: "Energy",
    reward: "Reward",
    experience: (amount: string) => `and ${amount} experience`,
    exact: "exact",
    attempt: "Attempt",
    attemptNamed: (crime: string) => `Attempt: ${crime}`,
    look: (crime: string) => `Show the odds of ${crime}`,
    counting: "Counting all hands…",
    degreesOf: (crime: string) => `Degrees of ${crime}`,
    best: "Most gold for its energy",
  },
  checks: {
    title: "Skill checks",
    line: "Practice: little gold and much experience; a failure costs nothing but the energy.",
    named: (check: string) => `${check} check`,
    take: "Take it",
    takeNamed: (check: string) => `Take: ${check}`,
  },
  contests: {
    title: "Contests",
    line: "Both draw five cards; the higher total wins. A victory pays, and more for more damage; the damage of a defeat costs energy.",
    against: (npc: string) => `Against ${npc.toLowerCase()}`,
    level: (level: number) => `Level ${level} in every suit`,
    pay: "Pays",
    wounds: "Energy lost",
    challenge: "Challenge",
    challengeNamed: (npc: string) => `Challenge: ${npc}`,
  },
  wars: {
    title: "Gang wars",
    line: (least: number, time: string, energy: number) =>
      `From ${least} members a side; ${time}, and ${energy} energy for each member. The gang parts after a war.`,
    members: (names: string[]) => `In the gang: ${names.join(", ")}.`,
    hireNamed: (outlaw: string) => `Hire ${outlaw}`,
    hire: (outlaw: string, price: string) => `Hire ${outlaw} for ${price}`,
    against: (npc: string) => `War against ${npc.toLowerCase()}`,
    opponents: (size: number, npc: string) => `${size} × ${npc.toLowerCase()}`,
    raid: "Raid",
    raidNamed: (opponents: string) => `Raid ${opponents}`,
    defend: "Defend",
    defendNamed: (opponents: string) => `Defend against ${opponents}`,
    stakes: (pay: string, loss: string) => `${pay} for a victory, ${loss} for a defeat`,
    count: "Count the odds",
    uncounted: "So many draws take too long to count here; the command line counts them.",
  },
  encounters: {
    won: "Victory",
    lost: "Defeat",
    energyLost: (energy: number) => `−${energy} energy`,
  },
  checkMatch: {
    title: "Skill checks",
    line: (left: number) => `${left} ${left === 1 ? "check is" : "checks are"} left. A success scores its threshold, a critical success twice as much.`,
    yourTurn: "Which check do you take?",
    waiting: (name: string) => `${name} chooses a check.`,
    watching: "A check is chosen.",
    points: (points: string) => `${countPoints(points)}`,
    success: "Succeeds",
    mean: "Mean points",
    win: "Wins match",
    take: "Take it",
    takeNamed: (check: string) => `Take: ${check}`,
    wins: (names: string[]) => (names.length === 1 ? `${names[0]} wins the match` : `${names.join(" and ")} share the win`),
    taken: "Checks taken",
    chosen: (check: string) => `${check}: the deck is shuffled…`,
    oddsLater: "The odds of each check are on its poster once both outlaws are chosen.",
    oddsLine: "All chances are exact. The chance to win supposes that both choose best from then on, and counts a shared win as half of one.",
  },
  gauntlet: {
    title: "The gauntlet",
    line: (lives: number) => `Beat the NPCs one after another. After ${lives} ${lives === 1 ? "defeat" : "defeats"} a seat is out and keeps a part of its points; who retires keeps all.`,
    yourTurn: "Do you challenge the next one, or retire?",
    waiting: (name: string) => `${name} chooses.`,
    waitingForOthers: "Waiting for the others. Nobody sees your choice until then.",
    watching: "A seat chooses.",
    points: (points: string) => `${countPoints(points)}`,
    beats: "Beats it",
    mean: "Mean points in the end",
    retire: "Retire",
    wins: (names: string[]) => (names.length === 1 ? `${names[0]} wins the gauntlet` : `${names.join(" and ")} share the win`),
    over: (points: string) => `The gauntlet is over: ${countPoints(points)}.`,
    standings: "Where everybody stands",
    player: "Player",
    outlaw: "Outlaw",
    next: "Next",
    done: "Done",
    lives: "Lives",
    npc: "NPC",
    oddsLater: "The odds of the gauntlet are on the posters once all outlaws are chosen.",
    oddsLine:
      "All chances are exact. The chance to win supposes that every player plays for the own chance from then on, and counts a shared win in part; " +
      "mean points suppose play for points.",
  },
  trail: {
    title: "Between crimes",
    rest: "Rest",
    restLine: (energy: number, time: string) => `Up to ${energy} energy, takes ${time}`,
    travelTo: (place: string) => `Travel to ${place}`,
    travelLine: (time: string) => `takes ${time}`,
    here: "You are here",
    buyNamed: (buff: string) => `Buy ${buff}`,
    buy: (buff: string, price: string) => `Buy ${buff} for ${price}`,
    buffLine: (time: string) => `for ${time}`,
    noBonus: "no bonus",
    points: (amount: string) => `${countPoints(amount)}`,
  },
  draw: {
    title: "The draw",
    waiting: "Five cards of a fresh deck lie ready. Choose what to do.",
    watching: "Five cards of a fresh deck lie ready.",
    shuffling: (crime: string) => `${crime}: the deck is shuffled…`,
    cards: "Cards drawn",
    skip: "Turn everything over",
    back: "Back to the choices",
    ledger: "How it adds up",
    base: (own: string, cards: string) => `${own} for the hand, ${cards} for its cards`,
    baseOnly: (own: string) => `${own} for the hand`,
    suit: (count: number, suit: string, bonus: string) => `${count} × ${suit} at ${bonus}`,
    floor: "No total is below zero",
    total: "Total",
    soFar: "So far",
    needs: "Needs",
    margin: "Margin",
    meter: (total: string, threshold: string) => `${total} of ${threshold} points`,
    paid: "It pays",
    costs: "It costs",
    nothing: "It pays nothing, and costs nothing more.",
    noGold: "It pays nothing.",
    inflicted: (buff: string) => `${buff}!`,
  },
  hold: {
    title: "What do you hold?",
    line: (cards: number) => `Choose the cards to hold. Up to ${cards} others are exchanged at once; they do not come back.`,
    watching: "Cards may be exchanged.",
    card: (card: string) => `Hold the ${card}`,
    held: "held",
    exchange: (count: number, price: string) => `${count === 1 ? "Exchange 1 card" : `Exchange ${count} cards`}${price ? ` for ${price}` : ""}`,
    energy: (energy: number) => `${energy} energy`,
    stand: "Stand",
    asDealt: "Odds of hands as they are dealt, before any exchange.",
    readAs: (cards: string) => `Read as ${cards}`,
  },
  contest: {
    attacker: "Attacker",
    defender: "Defender",
    unknown: "Not chosen yet",
    hidden: "Chosen, face down",
    yourChoice: (outlaw: string) => `You send ${outlaw}.`,
    waiting: (name: string) => `Waiting for ${name} to choose. Nobody sees your choice until then.`,
    faceOff: (attacker: string, defender: string) => `${attacker} against ${defender}`,
    notDrawn: "No cards yet",
    wins: (name: string, outlaw: string) => `${name} wins with ${outlaw}`,
    why: {
      higher_total: "The higher total wins.",
      tie: "Both totals are the same: the rules say who wins a tie.",
      same_hand: "Both hold the same five cards: only their suits are compared.",
      royal_flush: "A royal flush wins, whatever the totals.",
    } as Record<string, string>,
    by: (margin: string) => `${margin} points apart`,
    damage: (degree: string, damage: string) => `${degree}: ${damage} damage.`,
  },
  gang: {
    title: (members: number, size: number) => `Who joins your gang? ${members} of ${size}`,
    line: "Both choose unseen. Then every member draws five cards, and the gangs' scores are compared.",
    chosen: (names: string[]) => (names.length ? `With you: ${names.join(", ")}.` : ""),
    waiting: "The other gang gathers. Nobody sees a gang until both are complete.",
    war: "Gang war",
    defense: "Gang war for a territory",
    attackers: "Attackers",
    defenders: "Defenders",
    wins: (name: string) => `${name} wins the war`,
    scores: (attack: string, defense: string) => `${attack} against ${defense}`,
    odds: "Before the draws",
    oddsLater: "The odds of the war are here once both gangs are complete.",
    attackersWin: "The attackers win",
    defendersWin: "The defenders win",
  },
  summary: {
    title: "How the run went",
    gold: "Gold taken home",
    experience: "Experience",
    attempts: "Undertakings",
    best: "Best haul",
    bestLine: (gain: string, title: string) => `${gain}, ${title}`,
    none: "None",
    time: "Time used",
    crime: "Undertaking",
    tries: "Tries",
    succeeded: "Succeeded",
    takings: "Gold",
    reason: {
      "the time is over": "The day is over: nothing more can be finished in time.",
      "nothing can be afforded": "Nothing more can be afforded.",
    } as Record<string, string>,
  },
  odds: {
    counting: "Counting all 2,598,960 hands…",
    crime: "Crime",
    gold: "Gold expected",
    experience: "Experience expected",
    exactValue: (rounded: string) => `${rounded} (exact)`,
    totals: "Totals that are drawn",
    points: "Points",
    share: "Share of hands",
    threshold: (name: string) => name,
    quantiles: "Of 100 draws",
    quantile: (share: number, points: string) => `${share} reach at most ${points}`,
    mean: "Mean",
    deviation: "Standard deviation",
    hands: (hands: string) => `of ${hands} hands, each as likely as any other`,
    choose: "Choose an outlaw: each poster shows what it can do.",
    coach: "What pays most",
    coachLine: "Gold and experience that each undertaking brings on average, from here and now.",
    coachTask: "Undertaking",
    coachGold: "Gold",
    coachExperience: "Exp.",
    coachPerEnergy: "Gold per energy",
    coachBest: (title: string) => `${title} brings the most gold for its energy.`,
    coachNone: "Nothing that pays can be begun now.",
    closed: "cannot be begun now",
    others: "Everything else",
    othersLine: "The best crime or skill check after rest, travel and a drink; the mean total of who may be hired. Wars are counted for a gang that may fight.",
    then: (title: string, pay: string) => `then ${title}: ${pay}`,
    perEnergy: (gold: string) => `${gold} per energy`,
    meanTotal: (points: string) => `draws ${countPoints(points)} on average`,
    contest: "Chance that each side wins",
    attackerWins: (outlaw: string) => `${outlaw} attacks and wins`,
    defenderWins: (outlaw: string) => `${outlaw} defends and wins`,
    roster: "Every contest of the roster",
    rosterLine: (attacks: boolean) =>
      attacks ? "Rows attack: how often each row wins against each column." : "Rows defend: how often each row wins against each column.",
    rosterWatch: "Rows attack: how often each row wins against each column.",
    choices: "What each choice is worth",
    choicesLine: "How often it wins against an outlaw chosen evenly, and against the one that suits it least.",
    worst: "Worst",
    average: "Average",
    yours: "Outlaw",
    safest: (outlaw: string) => `${outlaw} has the best worst case.`,
    evenly: (outlaw: string) => `${outlaw} wins most often where the other side chooses evenly.`,
  },
  log: {
    committed: (name: string) => `${name} has chosen an outlaw.`,
    chose: (name: string, outlaw: string) => `${name} rides as ${outlaw}.`,
    faced: (attacker: string, defender: string) => `${attacker} attacks ${defender}.`,
    memberOf: (outlaw: string, name: string) => `${outlaw}, of ${name}'s gang,`,
    dealt: (name: string, cards: string) => `${name} is dealt ${cards}.`,
    exchanged: (name: string, cards: string) => `${name} throws away ${cards}.`,
    drew: (name: string, rank: string, cards: string, total: string) => `${name} drew ${cards}: ${rank.toLowerCase()}, ${total} points.`,
    won: (name: string, why: string, damage: string) => `${name} won. ${why} ${damage} damage.`,
    gangsFaced: (attackers: string, defenders: string) => `${attackers} attack ${defenders}.`,
    warWon: (name: string, attack: string, defense: string) => `${name} won the gang war, ${attack} against ${defense}.`,
    attempted: (crime: string, energy: number) => `Attempted: ${crime}, for ${energy} energy.`,
    resolved: (degree: string, margin: string, changes: string[]) =>
      `${degree} (${margin}): ${changes.length ? changes.join(", ") : "nothing won, nothing lost"}.`,
    rested: (energy: number) => (energy ? `Rested: ${energy} energy regained.` : "Rested, and regained nothing."),
    travelled: (place: string) => `Travelled to ${place}.`,
    bought: (buff: string, price: string) => `Bought ${buff} for ${price}.`,
    checkBegun: (name: string, check: string, energy: number) => (energy ? `Took: ${check}, for ${energy} energy.` : `${name} takes: ${check}.`),
    challenged: (npc: string, energy: number) => `Challenged: ${npc}, for ${energy} energy.`,
    contestResolved: (won: boolean, damage: string, changes: string[]) =>
      `${won ? "Won" : "Lost"}, ${damage} damage${changes.length ? `: ${changes.join(", ")}` : ""}.`,
    hired: (outlaw: string, price: string) => `Hired ${outlaw} for ${price}.`,
    raided: (gang: string, opponents: string) => `${gang} raid ${opponents}.`,
    defended: (gang: string, opponents: string) => `${gang} defend a territory against ${opponents}.`,
    warResolved: (won: boolean, scores: string, changes: string[]) =>
      `${won ? "Won" : "Lost"} the war, ${scores}${changes.length ? `: ${changes.join(", ")}` : ""}.`,
    checkScored: (name: string, degree: string, points: string) => `${name}: ${degree.toLowerCase()}, ${countPoints(points)}.`,
    checksWon: (names: string[], points: string) => `${names.join(" and ")} won the match, ${points}.`,
    entered: (outlaws: string) => `${outlaws} enter the gauntlet.`,
    boutBegun: (name: string, npc: string) => `${name} challenges ${npc.toLowerCase()}.`,
    boutResolved: (name: string, won: boolean, npc: string, points: string, lives: number) =>
      `${name} ${won ? "beats" : "loses to"} ${npc.toLowerCase()}: ${countPoints(points)}, lives left: ${lives}.`,
    retired: (name: string, points: string) => `${name} retires with ${countPoints(points)}.`,
    gauntletEnded: (names: string[], points: string) =>
      names.length ? `${names.join(" and ")} won the gauntlet, ${points}.` : `The gauntlet is over, ${points}.`,
    against: " against ",
    npcOf: (npc: string) => `${npc} (NPC)`,
  },
  how: {
    goal: "Take home as much gold as you can before the day is over; or, with two at the table, beat the other's total.",
    steps: [
      {
        title: "Choose an outlaw",
        line: "Each has skills. A skill belongs to a suit, and every card of that suit in your hand scores the skill's bonus.",
      },
      {
        title: "Attempt a crime",
        line:
          "It costs its energy. Five cards are drawn from a fresh deck: the poker hand scores a base, each card its suit's bonus, " +
          "items and buffs the rest.",
      },
      {
        title: "Meet the threshold",
        line: "Reach what the crime needs and it pays; far above, it pays more. Below, it costs a little gold; far below, more of it, and your health.",
      },
      {
        title: "Between crimes",
        line: "Rest for energy, travel to where the land favours your suits, drink before you ride. All but the drink takes time.",
      },
      {
        title: "Checks, contests, gang wars",
        line:
          "Take skill checks for experience, challenge NPCs for gold at the risk of wounds, or hire a gang and lead it into a raid or the " +
          "defence of a territory.",
      },
      { title: "The end", line: "The run ends when nothing more can be begun in time. What counts is the gold." },
      { title: "Two at the table", line: "Both choose an outlaw unseen, both draw, the higher total wins; or, by other rules, lead gangs, take skill checks in turn, or run a gauntlet." },
    ],
    ranks: "What hands score",
    ranksLine: "In this match. A high card adds its three highest cards; pairs, three and four of a kind add the highest card beside them.",
    hand: "Hand",
    points: "Points",
    suitsTitle: "What suits stand for",
    skill: (skill: string, category: string) => (category ? `${skill} (${category})` : skill),
    suits: "All odds you see are exact: every hand is counted.",
    keys: "Keys",
    keysLine:
      "Tab moves between crimes, places and drinks; Enter or Space chooses. While cards are turned over, Enter, Space or Escape shows " +
      "everything at once.",
  },
};
