/** Charts and figures of the Destiny Deck. */
import type { Schema } from "../../../api/types";
import type { ChartData } from "../../../design/charts";
import { label } from "../../../rules/changes";
import { words as shared } from "../../../text";
import { words as board } from "../text";
import { words as labels } from "./text";
import { atLeast, binCounts, binWidth, marksFor, spanOf } from "../../../design/bins";
import { exactFigure, shareOf, type Figure, type FigureRow } from "../../../workbench/figures";

type Odds = Schema<"destiny.CheckOddsReply">;
type NamedReply<T> = { name: string; reply: T };

export const DEGREES = ["critical_success", "success", "failure", "critical_failure"] as const;

/** Return the thresholds of all settings, each once, with its name. */
function marksOf(all: NamedReply<Odds>[]): { x: number; name: string }[] {
  return marksFor(all.map(({ reply, name }) => ({ x: reply.target.threshold, name })));
}

/** Return the range of totals that is drawn. */
function totalsSpan(all: NamedReply<Odds>[]): [number, number] {
  const counts = all.map(({ reply }) => reply.distribution ?? []);
  return spanOf(counts, marksOf(all).map((mark) => mark.x), binWidth(counts));
}

export function totalsChart(all: NamedReply<Odds>[]): ChartData {
  const counts = all.map(({ reply }) => reply.distribution ?? []);
  const width = binWidth(counts);
  return {
    title: labels.totals,
    kind: "steps",
    scale: "value",
    filled: true,
    xName: width === 1 ? labels.total : labels.totalBy(width),
    yName: shared.workbench.chance,
    series: all.map(({ name }, index) => ({ name, points: binCounts(counts[index]!, width) })),
    marks: marksOf(all),
    span: totalsSpan(all),
    certainty: shared.common.exact,
  };
}

export function reachChart(all: NamedReply<Odds>[]): ChartData {
  return {
    title: labels.reach,
    kind: "steps",
    steps: "before",
    scale: "value",
    most: 1,
    xName: labels.total,
    yName: shared.workbench.chance,
    series: all.map(({ name, reply }) => ({ name, points: atLeast(reply.distribution ?? []) })),
    marks: marksOf(all),
    span: totalsSpan(all),
    certainty: shared.common.exact,
  };
}

export function degreesChart(all: NamedReply<Odds>[]): ChartData {
  return {
    title: labels.degreesTitle,
    kind: "rows",
    xName: "",
    yName: shared.workbench.chance,
    series: all.map(({ name, reply }) => ({
      name,
      points: DEGREES.map((degree) => ({
        x: board.degrees[degree] ?? degree,
        y: (reply.degrees[degree] ?? 0) / reply.total,
        exact: `${reply.degrees[degree] ?? 0}/${reply.total}`,
      })),
    })),
    certainty: shared.common.exact,
  };
}

export function checkFigures(all: (Odds | null)[]): FigureRow[] {
  const row = (name: string, as: FigureRow["as"], figure: (reply: Odds) => Figure, digits = 2): FigureRow => ({
    name,
    as,
    digits,
    figures: all.map((reply) => reply && figure(reply)),
  });
  return [
    row(labels.success, "chance", (reply) => shareOf(reply.success.count, reply.success.total)),
    ...DEGREES.map((degree) => row(board.degrees[degree] ?? degree, "chance", (reply) => shareOf(reply.degrees[degree] ?? 0, reply.total))),
    row(shared.workbench.mean, "number", (reply) => exactFigure(reply.mean)),
    row(shared.workbench.deviation, "number", (reply) => ({ kind: "bounded", value: reply.deviation, error: 0.005 })),
    ...["0.05", "0.25", "0.5", "0.75", "0.95"].map((share) =>
      row(shared.workbench.quantile(Number(share) * 100), "number", (reply) => exactFigure(reply.quantiles[share] ?? 0)),
    ),
    ...["spades", "hearts", "clubs", "diamonds"].map((suit) =>
      row(labels.bonusOf(shared.workbench.suitNames[suit] ?? suit), "number", (reply) => exactFigure(reply.bonuses[suit] ?? 0)),
    ),
  ];
}

/** A curve over the levels of a skill, with the requested parts of each reply. */
export type CurveReply<Read> = { over: string; points: { at: number | null; reply: Read }[] };

/** Return the question for some paths of a reply at each level of a skill; level 0 is the character without it. */
export const curveQuestion = (rules: unknown, ask: object, who: string, skill: string, levels: number[], read: string[]): object => ({
  rules,
  ask,
  over: `${who}.skills.${skill}`,
  values: levels.map((level) => level || null),
  read,
});

/** Return the skill of a curve. */
export const skillOf = (reply: { over: string }): string => reply.over.slice(reply.over.lastIndexOf(".") + 1);

export type CurvePoint = { level: number; over: number; under: number; exact: string };

export function curveChart(title: string, all: { name: string; skill: string; points: CurvePoint[] }[]): ChartData {
  const skills = [...new Set(all.map((one) => label(one.skill)))];
  return {
    title,
    kind: "line",
    scale: "value",
    most: 1,
    xName: labels.levelOf(skills.join(" / ")),
    yName: shared.workbench.chance,
    series: all.map((one) => ({
      name: one.name,
      points: one.points.map((point) => ({ x: point.level, y: point.over / point.under, exact: point.exact })),
    })),
    certainty: shared.common.exact,
  };
}
