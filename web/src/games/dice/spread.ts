/** How scores are spread: for each score, how likely it is to get at least that much; in whole numbers until the last step. */
import type { Point } from "../../design/charts";
import { approximate } from "../../design/numbers";

export function spreadOf(scores: [number, number][], total: number): Point[] {
  let reached = total;
  return scores
    .toSorted(([one], [other]) => one - other)
    .map(([score, count]) => {
      const point = { x: score, y: approximate(`${reached}/${total}`), exact: `${reached}/${total}` };
      reached -= count;
      return point;
    });
}
