/** The optional rules of a duel that are in force, as text. */
import type { AnyRules } from "../../api/types";
import { words } from "./text";

type Rules = AnyRules["duel"];
const labels = words.how.optional;

/** Return the environment with its effects on both fighters; null where there is none. */
export function describeEnvironment({ environment, environments }: Rules): string | null {
  if (environment === "none") return null;
  const effect = environments[environment];
  const sides = [
    { side: words.sides.attack, added: effect.attack, factor: Number(effect.attack_factor) },
    { side: words.sides.defense, added: effect.defense, factor: Number(effect.defense_factor) },
  ];
  const effects = sides.flatMap(({ side, added, factor }) => [
    ...(added ? [words.adds(side, added)] : []),
    ...(factor === 1 ? [] : [words.multiplies(side, factor)]),
  ]);
  return words.environment(words.environments[environment] ?? environment, effects);
}

/** Return a line on each optional rule that is in force. */
export function describeOptionalRules(rules: Rules): string[] {
  const { abilities, combos, durability } = rules;
  const environment = describeEnvironment(rules);
  return [
    ...(abilities.enabled ? [labels.abilities(abilities.guard, abilities.riposte, abilities.focus)] : []),
    ...(environment ? [environment] : []),
    ...(wears(rules) ? [labels.wear(durability.weapon_wear, durability.armor_wear)] : []),
    ...(combos.bonus ? [labels.combos(words.ranks(combos.rank), combos.bonus, combos.most)] : []),
  ];
}

/** Whether gear wears. */
export function wears({ durability }: Rules): boolean {
  return durability.weapon_wear > 0 || durability.armor_wear > 0;
}
