/** Curves of a question: the numbers that can vary, their values, and the chart. */
import type { ChartData, Point } from "../../design/charts";
import { words as shared } from "../../text";
import { at, label, type Path, type Rules } from "../../rules/changes";
import { formOf, type Field, type JsonSchema } from "../../rules/schema";
import { cellAt, type NumberPath } from "./reply";
import type { RequestForm } from "./request";
import { words } from "./text";

/** A number of the request that a curve can change. */
export type CurveVariable = { path: string; name: string; least: number | null; most: number | null; whole: boolean; now: number | null };
export type CurveSetting = { over: string; read: string; from: number; to: number; points: number };
export type CurveReply = { over: string; points: readonly { at: number | null; reply: Record<string, unknown> }[] };

export const MOST_POINTS = 101;
const USUAL_POINTS = 21;
const WIDEST = 200;
const USUAL_WIDTH = 20;

/** Return the numbers of a filled form that a curve can vary; those in a text only where the server supports it. */
export function curveVariables(form: RequestForm, values: Rules, textFields: readonly string[]): CurveVariable[] {
  return form.fields.flatMap(([name, field]) => {
    const value = values[name];
    const isText = field.kind === "either" && typeof value === "string";
    if (isText && !textFields.includes(name)) return [];
    return numbersOf(isText ? (field.forms.find((one) => one.kind === "group") ?? field) : field, isText ? {} : value, [name]);
  });
}

function numbersOf(field: Field, value: unknown, path: Path): CurveVariable[] {
  switch (field.kind) {
    case "number": {
      const { least, most, whole } = field;
      return [
        {
          path: path.join("."),
          name: path.map((step) => label(String(step))).join(" · "),
          least,
          most,
          whole,
          now: typeof value === "number" ? value : null,
        },
      ];
    }
    case "group":
      return field.fields.flatMap(([name, inner]) => numbersOf(inner, at(value, [name]), [...path, name]));
    case "table": {
      const names = new Set([...(field.names ?? []), ...Object.keys((value ?? {}) as Rules)]);
      return [...names].flatMap((name) => numbersOf(field.each, at(value, [name]), [...path, name]));
    }
    case "either": {
      const form = formOf(value, field.forms);
      const number = field.forms.find((one) => one.kind === "number");
      return numbersOf(
        form && form.kind !== "choice" && form.kind !== "text" && form.kind !== "list" ? form : (number ?? { about: "", kind: "anything" }),
        value,
        path,
      );
    }
    default:
      return [];
  }
}

/** Return the default range of a curve: the bounds of the number, or a range around its value. */
export function usualRange({ least, most, whole, now }: CurveVariable): Pick<CurveSetting, "from" | "to" | "points"> {
  const isNarrow = least !== null && most !== null && most - least <= WIDEST;
  const middle = now ?? Math.max(0, least ?? 0);
  const lowest = least ?? (middle > 0 ? Math.min(1, middle) : -Infinity);
  const start = isNarrow ? least : Math.max(lowest, middle - USUAL_WIDTH / 2);
  const end = isNarrow ? most : Math.min(most ?? Infinity, start + USUAL_WIDTH);
  const points = whole && end - start < MOST_POINTS - 1 ? end - start + 1 : USUAL_POINTS;
  return { from: start, to: end, points: Math.max(2, points) };
}

/** Return the values of a curve in equal steps; whole numbers without duplicates. */
export function valuesOf({ from, to, points }: Pick<CurveSetting, "from" | "to" | "points">, whole: boolean): number[] {
  const count = Math.max(1, Math.min(MOST_POINTS, Math.round(points)));
  const values = Array.from({ length: count }, (_, index) => (count === 1 ? from : from + ((to - from) * index) / (count - 1)));
  return [...new Set(values.map((value) => (whole ? Math.round(value) : Number(value.toPrecision(12)))))];
}

/** Return the curve as a chart; points without a number are left out. */
export function chartOf(curve: CurveReply, variable: CurveVariable, read: NumberPath, schema: JsonSchema, reply: unknown): ChartData {
  const cells = curve.points.map((point) => ({ x: point.at, cell: cellAt(schema, reply, read.path, point.reply[read.path]) }));
  const points = cells.flatMap(({ x, cell }): Point[] =>
    x === null || cell?.number === undefined
      ? []
      : [{ x, y: cell.number, ...((cell.chance ?? cell.detail) ? { exact: (cell.chance ?? cell.detail)! } : {}) }],
  );
  const isExact = cells.every(({ cell }) => cell?.number === undefined || cell.isExact === true);
  return {
    title: words.curve.of(read.name, variable.name),
    kind: "line",
    scale: "value",
    xName: variable.name,
    yName: read.name,
    series: [{ name: read.name, points }],
    filled: true,
    ...(read.isChance ? {} : { format: (value: number) => String(Number(value.toPrecision(6))) }),
    certainty: isExact ? shared.common.exact : words.rounded,
  };
}
