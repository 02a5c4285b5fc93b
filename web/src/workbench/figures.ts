/** Figures for tables: exact numbers, or estimates with their bound. */
import { words } from "../text";
import { approximate, boundOf, decimal, exact, groupDigits, percent, plain, type Exact } from "../design/numbers";

/** A number with its precision. `detail` says how it was counted. */
export type Figure =
  | { kind: "exact"; value: Exact; detail?: string | undefined }
  /** A float with its error bound. */
  | { kind: "bounded"; value: number; error: number };

export type FigureRow = {
  name: string;
  as: "chance" | "number";
  figures: (Figure | null)[];
  /** For numbers: digits after the point. */ digits?: number;
};

const SAFE = Number.MAX_SAFE_INTEGER;

export function exactFigure(given: string | number): Figure {
  const value = exact(given);
  return { kind: "exact", value, detail: value.under === 1n ? undefined : String(given) };
}

/** Return a share of equally likely cases; counts beyond the range of floats are given by their probability alone. */
export function shareOf(count: number, total: number): Figure {
  if (total > SAFE) return { kind: "bounded", value: count / total, error: 1e-15 };
  return {
    kind: "exact",
    value: { over: BigInt(count), under: BigInt(total) },
    detail: words.workbench.ofAll(groupDigits(count), groupDigits(total)),
  };
}

export function boundedFigure(value: number, error: number): Figure {
  return { kind: "bounded", value, error };
}

export function floatOf(figure: Figure): number {
  return figure.kind === "exact" ? approximate(figure.value) : figure.value;
}

/** Format a figure. */
export function formatFigure(figure: Figure, as: FigureRow["as"], digits = 2): string {
  if (figure.kind === "exact") return as === "chance" ? percent(figure.value, digits) : decimal(figure.value, digits);
  return as === "chance" ? percent(plain(figure.value), digits) : decimal(exact(plain(figure.value)), digits);
}

/** Format how a figure was counted, or its error bound. */
export function detailOf(figure: Figure, as: FigureRow["as"]): string | undefined {
  if (figure.kind === "exact") return figure.detail;
  return `± ${boundText(figure.error, as)}`;
}

export function boundText(error: number, as: FigureRow["as"]): string {
  return as === "chance" ? `${boundOf(error * 100)} %` : boundOf(error);
}

/** Format the difference of two figures; that of probabilities in percentage points. */
export function formatDifference(one: Figure, other: Figure, as: FigureRow["as"], digits = 2): string {
  const size = (value: string): string => (as === "chance" ? words.workbench.points(value) : value);
  const scale = as === "chance" ? 100n : 1n;
  if (one.kind === "exact" && other.kind === "exact") {
    const over = (other.value.over * one.value.under - one.value.over * other.value.under) * scale;
    const under = one.value.under * other.value.under;
    if (over === 0n) return words.workbench.same;
    const text = decimal({ over: over < 0n ? -over : over, under }, digits);
    if (Number(text) === 0) return over < 0n ? `> −${size(smallestDecimal(digits))}` : `< +${size(smallestDecimal(digits))}`;
    return (over < 0n ? "−" : "+") + size(text);
  }
  const far = (floatOf(other) - floatOf(one)) * Number(scale);
  const text = Math.abs(far).toFixed(digits);
  return Number(text) === 0 ? `± ${size(text)}` : (far < 0 ? "−" : "+") + size(text);
}

function smallestDecimal(digits: number): string {
  return digits ? `0.${"0".repeat(digits - 1)}1` : "1";
}
