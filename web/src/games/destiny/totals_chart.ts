/** The chart of the totals of all hands, from exact counts. */
import type { ChartData } from "../../design/charts";
import { words as shared } from "../../text";
import { words } from "./text";
import type { Totals } from "./questions";
import { hundredths, ofHundredths } from "./points";

const MOST_STEPS = 48;
const WIDTHS = [1n, 2n, 5n, 10n, 20n, 25n, 50n, 100n, 200n, 500n, 1000n, 2000n, 5000n, 10000n];

export type Step = { from: bigint; to: bigint; count: bigint };

/** Bin totals, in hundredths, with a round width. */
export function stepsOf(distribution: readonly (readonly [number | string, number])[]): Step[] {
  if (!distribution.length) return [];
  const totals = distribution.map(([total, count]) => [hundredths(total), BigInt(count)] as const);
  const last = totals[totals.length - 1]![0];
  const width = 100n * (WIDTHS.find((wide) => last / (wide * 100n) < BigInt(MOST_STEPS)) ?? last / 100n / BigInt(MOST_STEPS) + 1n);
  const first = totals[0]![0] / width;
  const steps: Step[] = [];
  for (let index = first; index <= last / width; index += 1n) steps.push({ from: index * width, to: (index + 1n) * width, count: 0n });
  for (const [total, count] of totals) steps[Number(total / width - first)]!.count += count;
  return steps;
}

/** Return the chart of totals with a mark where the threshold is. */
export function chartOf(totals: Totals, crime: string): ChartData {
  const labels = words.odds;
  const steps = stepsOf((totals.distribution ?? []) as [number, number][]);
  const points = steps.map((step) => ({
    x: Number(step.from) / 100,
    y: Number(step.count) / totals.total,
    exact: `${step.count}/${totals.total}`,
  }));
  const end = steps[steps.length - 1];
  if (end) points.push({ x: Number(end.to) / 100, y: 0, exact: "0" });
  return {
    title: labels.totals,
    kind: "steps",
    scale: "value",
    steps: "after",
    filled: true,
    xName: labels.points,
    yName: labels.share,
    series: [{ name: labels.share, points }],
    marks: [
      { x: Number(totals.target.threshold), name: `${labels.threshold(crime)} ${ofHundredths(hundredths(totals.target.threshold))}` },
    ],
    certainty: shared.common.exact,
  };
}
