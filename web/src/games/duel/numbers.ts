/** Formats damage and values. */
import { decimal, exact } from "../../design/numbers";

export type Damage = { text: string; isMean: boolean; exact: string };

/** Format damage: "26", or a mean with one digit, "18.4". */
export function damageOf(given: string): Damage {
  const value = exact(given);
  const isWhole = value.over % value.under === 0n;
  return { text: decimal(value, isWhole ? 0 : 1), isMean: !isWhole, exact: given };
}

/** Format dealt minus taken damage, with its sign. */
export function tradeOf(dealt: string, taken: string): string {
  const [one, other] = [exact(dealt), exact(taken)];
  const trade = { over: one.over * other.under - other.over * one.under, under: one.under * other.under };
  const digits = trade.over % trade.under === 0n ? 0 : 1;
  return `${trade.over > 0n ? "+" : ""}${decimal(trade, digits)}`;
}

/** Return the hit points after damage; null where the damage is a mean. */
export function leftOf(hp: number, damage: string): number | null {
  const { over, under } = exact(damage);
  if (over % under !== 0n) return null;
  return Math.max(0, hp - Number(over / under));
}
