/** The workbench setting of Casino: a table as a seat sees it, or a group of cards. */
import { has, isNumber, isText, listOf } from "../../../workbench/shapes";

export type GivenBuild = { cards: string[]; owner: number };
export type CasinoSetting = {
  players: number;
  hand: string[];
  /** The number of cards in each other hand. */
  theirs: number;
  loose: string[];
  builds: GivenBuild[];
  /** Captured cards: of seat 0, and of the next player. */
  mine: string[];
  others: string[];
  /** The seat that captured last. */
  last: number;
  group: string[];
};

export const fits = has<CasinoSetting>({
  players: isNumber,
  hand: listOf(isText),
  theirs: isNumber,
  loose: listOf(isText),
  builds: listOf(has<GivenBuild>({ cards: listOf(isText), owner: isNumber })),
  mine: listOf(isText),
  others: listOf(isText),
  last: isNumber,
  group: listOf(isText),
});

export const start = (): CasinoSetting => ({
  players: 2,
  hand: ["6♠", "7♠", "2♦", "9♦"],
  theirs: 4,
  loose: ["3♠", "4♥", "8♣", "K♣"],
  builds: [],
  mine: [],
  others: [],
  last: 0,
  group: ["3♠", "4♥"],
});

/** Return the table as seat 0 sees it. */
export function viewOf(setting: CasinoSetting): object {
  const piles = Array.from({ length: setting.players }, (_, seat) => (seat === 0 ? setting.mine : seat === 1 ? setting.others : []));
  return {
    viewer: 0,
    hand: setting.hand,
    hand_sizes: Array.from({ length: setting.players }, (_, seat) => (seat === 0 ? setting.hand.length : setting.theirs)),
    loose: setting.loose,
    builds: setting.builds.filter((build) => build.cards.length),
    ...(piles.some((pile) => pile.length) ? { piles, last_capture: setting.last } : {}),
  };
}

/** Return all cards in use, except those of one place. */
export function cardsElsewhere(setting: CasinoSetting, here: readonly string[]): string[] {
  const all = [...setting.hand, ...setting.loose, ...setting.builds.flatMap((build) => build.cards), ...setting.mine, ...setting.others];
  return all.filter((card) => !here.includes(card));
}
