/** The workbench setting of the Fate Deck: the check, and the known cards. */
import type { Rules } from "../../../rules/changes";
import { either, has, isFlag, isNothing, isNumber, isText, listOf } from "../../../workbench/shapes";

/** Zones of known cards. */
export const ZONES = ["seen", "top", "bottom", "out"] as const;
export type Zone = (typeof ZONES)[number];
export type KnownDeck = Record<Zone, string[]> & { discards: number };

export type FateSetting = {
  onTurn: boolean;
  /** The number of cards drawn; null for that of the rules. */
  count: number | null;
  modifier: number;
  target: number | null;
  triggers: string[];
  deck: KnownDeck;
  /** The percentage of checks that are on turn. */
  share: number;
};

export const fits = has<FateSetting>({
  onTurn: isFlag,
  count: either(isNumber, isNothing),
  modifier: isNumber,
  target: either(isNumber, isNothing),
  triggers: listOf(isText),
  deck: has<KnownDeck>({ seen: listOf(isText), top: listOf(isText), bottom: listOf(isText), out: listOf(isText), discards: isNumber }),
  share: isNumber,
});

export const start = (): FateSetting => ({
  onTurn: true,
  count: null,
  modifier: 0,
  target: 4,
  triggers: ["single(spade)", "both(red)"],
  deck: { seen: [], top: [], bottom: [], out: [], discards: 0 },
  share: 50,
});

export function questionOf(setting: FateSetting, rules: unknown): object {
  return {
    rules,
    deck: setting.deck,
    on_turn: setting.onTurn,
    count: setting.count,
    modifier: setting.modifier,
    target: setting.target,
    triggers: setting.triggers.filter((text) => text.trim()),
    share: `${setting.share}/100`,
  };
}

/** Return the question about abilities; null without target and trigger. */
export function abilitiesOf(setting: FateSetting, rules: unknown): object | null {
  const trigger = setting.triggers.find((text) => text.trim()) ?? null;
  if (setting.target === null && trigger === null) return null;
  const { deck, onTurn, count, modifier, target } = setting;
  return { rules, deck, on_turn: onTurn, count, modifier, target, ...(target === null ? { trigger } : {}) };
}

/** Return the number of copies of a card. */
export function copiesOf(rules: Rules): [string, number][] {
  return (rules.cards as { name: string; copies: number }[]).map((kind) => [kind.name, kind.copies]);
}

/** Put a copy of a card into a zone, or take all back where every copy is placed. */
export function put(deck: KnownDeck, card: string, zone: Zone, copies: number): KnownDeck {
  const lying = ZONES.reduce((sum, one) => sum + deck[one].filter((other) => other === card).length, 0);
  if (lying < copies) return { ...deck, [zone]: [...deck[zone], card] };
  const without = (one: Zone): string[] => deck[one].filter((other) => other !== card);
  return { seen: without("seen"), top: without("top"), bottom: without("bottom"), out: without("out"), discards: deck.discards };
}
