/** A score as a sum of parts, in the server's order. */
import { words } from "./text";
import type { Score } from "./questions";
import { dieName } from "./wording";

export type ScorePart = { key: string; sign: string; value: string; caption: string; tone: "hand" | "die" | "item" | "sum" };

const labels = words.score;

export function scoreParts(score: Score): ScorePart[] {
  const level = score.level ? `${labels.base}, ${labels.level(score.level)}` : labels.base;
  const dice = score.abilities.map((bonus): ScorePart => ({
    key: `die-${bonus.place}`,
    sign: "+",
    value: words.points(bonus.points),
    caption: labels.ability(dieName(bonus.die)),
    tone: "die",
  }));
  const flat = score.items
    .filter((bonus) => bonus.flat)
    .map((bonus): ScorePart => ({
      key: `item-${bonus.item}`,
      sign: "+",
      value: words.points(bonus.flat),
      caption: labels.item(bonus.item),
      tone: "item",
    }));
  const multiplying = score.items.filter((bonus) => Number(bonus.multiplier));
  const layers: ScorePart[] = [
    { key: "base", sign: "(", value: words.points(score.base), caption: level, tone: "hand" },
    { key: "matched", sign: "+", value: `${words.points(score.matched_sum)})`, caption: labels.dice, tone: "hand" },
    { key: "multiplier", sign: "×", value: factor(score.multiplier), caption: labels.multiplier, tone: "hand" },
  ];
  if (dice.length || flat.length || multiplying.length) {
    layers.push(
      { key: "hand", sign: "=", value: words.points(score.hand_score), caption: words.hand(score.hand), tone: "sum" },
      ...dice,
      ...flat,
    );
  }
  if (multiplying.length) {
    const caption = multiplying.map((bonus) => labels.item(bonus.item)).join(", ");
    layers.push({ key: "items", sign: "×", value: `(1 + ${factor(score.item_multiplier)})`, caption, tone: "item" });
  }
  return [...layers, { key: "total", sign: "=", value: words.points(score.total), caption: labels.total, tone: "sum" }];
}

/** Format a multiplier without trailing zeros. */
export function factor(given: number | string): string {
  const text = String(given);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}
