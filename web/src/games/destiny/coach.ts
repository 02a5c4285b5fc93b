/** Crimes ranked by their mean gold per energy. */
import { compareExact } from "../../design/numbers";
import type { Prospect } from "./questions";

export type CrimePay = { crime: string; gold: string; experience: string; perEnergy: string | null };

/** Rank crimes by mean gold per energy; those that cost no energy and pay come first. */
export function rankCrimes(prospect: Prospect): CrimePay[] {
  return Object.entries(prospect.crimes)
    .map(([crime, one]) => ({ crime, gold: one.gold, experience: one.experience, perEnergy: one.gold_per_energy }))
    .sort((one, other) => {
      const rank = rankOf(other) - rankOf(one);
      return rank || compareExact(other.perEnergy ?? other.gold, one.perEnergy ?? one.gold);
    });
}

function rankOf({ perEnergy, gold }: CrimePay): number {
  if (perEnergy !== null) return 1;
  return compareExact(gold, 0) > 0 ? 2 : 0;
}

/** Return the crime with the most gold per energy. */
export function bestPaid(prospect: Prospect): { crime: string; perEnergy: string } | null {
  const first = rankCrimes(prospect).find((row) => row.perEnergy !== null);
  return first ? { crime: first.crime, perEnergy: first.perEnergy! } : null;
}
