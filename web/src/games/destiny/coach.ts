/** The actions of a run ranked by their mean gold per energy. */
import { compareExact } from "../../design/numbers";
import type { Action, CrimeProspect, RunValue } from "./questions";

/** What an action pays; null where it is not counted, or where it costs no energy. */
type Pay = { gold: string | null; gold_per_energy: string | null };
/** An action with a draw, and what it brings on average. */
export type Task = RunValue & { gold: string };

/** Return the tasks whose gold is known, by gold per energy; those that cost no energy and pay come first. */
export function rankTasks(values: readonly RunValue[]): Task[] {
  const tasks = values.filter((one): one is Task => one.gold !== null && one.experience !== null);
  return tasks.sort(comparePay);
}

/** Return what has no draw, or is not counted, in the rules' order. */
export function otherActions(values: readonly RunValue[]): RunValue[] {
  return values.filter((one) => one.gold === null || one.experience === null);
}

/** Return the legal crime with the most gold for its energy. */
export function bestCrime(crimes: Readonly<Record<string, CrimeProspect>>, isLegal: (crime: string) => boolean): string | null {
  const legal = Object.entries(crimes).filter(([crime]) => isLegal(crime));
  return legal.sort(([, one], [, other]) => comparePay(one, other))[0]?.[0] ?? null;
}

function comparePay(one: Pay, other: Pay): number {
  return rankOf(other) - rankOf(one) || compareExact(other.gold_per_energy ?? other.gold ?? 0, one.gold_per_energy ?? one.gold ?? 0);
}

function rankOf({ gold_per_energy, gold }: Pay): number {
  if (gold_per_energy !== null) return 1;
  return compareExact(gold ?? 0, 0) > 0 ? 2 : 0;
}

/** Return the key of an action in a list. */
export const keyOf = (action: Action): string => JSON.stringify(action);
