/** Distributions for charts, from exact counts. */
import type { Point } from "./charts";

/** Values with their counts. */
export type Counts = readonly (readonly [number, number])[];

const NICE = [1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000, 2500, 5000, 10_000];
const MOST_BINS = 70;

/** Return the width of bins with which these distributions have few bins. */
export function binWidth(all: readonly Counts[], most = MOST_BINS): number {
  const values = all.flatMap((one) => one.map(([value]) => value));
  if (!values.length) return 1;
  const span = Math.max(...values) - Math.min(...values) + 1;
  return NICE.find((width) => span / width <= most) ?? Math.ceil(span / most);
}

/** Return the chance of each bin, by where it begins; the last point closes the last bin. */
export function binCounts(counts: Counts, width: number): Point[] {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  const bins = new Map<number, number>();
  for (const [value, count] of counts) {
    const begin = Math.floor(value / width) * width;
    bins.set(begin, (bins.get(begin) ?? 0) + count);
  }
  const first = Math.min(...bins.keys());
  const last = Math.max(...bins.keys());
  const points: Point[] = [];
  for (let begin = first; begin <= last; begin += width) {
    const count = bins.get(begin) ?? 0;
    points.push({ x: begin, y: count / total, exact: `${count}/${total}` });
  }
  return [...points, { x: last + width, y: 0, exact: `0/${total}` }];
}

/** Return the chance of each value. */
export function chancePoints(counts: Counts): Point[] {
  const total = counts.reduce((sum, [, count]) => sum + count, 0);
  return counts.map(([value, count]) => ({ x: value, y: count / total, exact: `${count}/${total}` }));
}

/** Return the chance to have each value or more. */
export function atLeast(counts: Counts): Point[] {
  const sorted = [...counts].sort(([one], [other]) => one - other);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let left = total;
  return sorted.map(([value, count]) => {
    const point = { x: value, y: left / total, exact: `${left}/${total}` };
    left -= count;
    return point;
  });
}

/** Return one mark where all settings have the same, else one for each, with its name. */
export function marksFor(all: readonly { x: number; name: string }[]): { x: number; name: string }[] {
  const [first] = all;
  if (!first) return [];
  if (all.every((one) => one.x === first.x)) return [{ x: first.x, name: String(first.x) }];
  return all.map(({ x, name }) => ({ x, name: `${x} ${name}` }));
}

const HIDDEN_SHARE = 0.0005;

/** Return the range of values to draw: all but the rarest at the high end, and every mark. */
export function spanOf(all: readonly Counts[], marks: readonly number[], width: number): [number, number] {
  const values = all.flatMap((one) => one.map(([value]) => value));
  const first = Math.min(...values, ...marks);
  const last = Math.max(...all.map(lastShownValue), ...marks.map((mark) => mark + 2 * width));
  return [Math.floor(first / width) * width, Math.ceil((last + 1) / width) * width];
}

function lastShownValue(counts: Counts): number {
  const sorted = [...counts].sort(([one], [other]) => other - one);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  let above = 0;
  for (const [value, count] of sorted) {
    above += count;
    if (above >= total * HIDDEN_SHARE) return value;
  }
  return sorted.at(-1)?.[0] ?? 0;
}
