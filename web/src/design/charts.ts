/** A chart as data, from which its drawing, its table and its files are made. */
import { exact as exactOf, percent, type Exact } from "./numbers";

export type Point = { x: number | string; y: number; /** The exact value as text, "5/18", for table and CSV. */ exact?: string };
export type Series = { name: string; points: Point[] };
export type ChartData = {
  title: string;
  /** Vertical bars, horizontal bars (`rows`, for long names), a line, or steps. */
  kind: "bars" | "rows" | "line" | "steps";
  xName: string;
  yName: string;
  series: Series[];
  /** "value" spaces x by its number instead of evenly; for lines and steps. */
  scale?: "category" | "value";
  /** Whether a step is drawn at the next x, as for bins, or at its own x, as for "at least x". */
  steps?: "after" | "before";
  /** Whether the first series is filled down to the axis. */
  filled?: boolean;
  /** A fixed end of the y axis. */
  most?: number;
  /** The range of the x axis that is drawn; table and files have all values. Only with `scale: "value"`. */
  span?: readonly [number, number];
  /** Vertical marks: thresholds and targets. */
  marks?: { x: number | string; name: string }[];
  /** How a value is shown on the axis and in the table. */
  format?: (value: number) => string;
  /** "exact", or the error bound. */
  certainty: string;
};

const asPercent = (value: number): string => `${Number((value * 100).toPrecision(4))} %`;

export function formatOf(data: ChartData): (value: number) => string {
  return data.format ?? asPercent;
}

export type Row = { x: number | string; values: (Point | undefined)[] };

/** Return the rows of a chart: one for each x, with a value, or nothing, for each series. */
export function rowsOf(data: ChartData): Row[] {
  const places = [...new Set(data.series.flatMap((one) => one.points.map((point) => point.x)))];
  if (places.every((x) => typeof x === "number")) places.sort((a, b) => Number(a) - Number(b));
  const byPlace = data.series.map((one) => new Map(one.points.map((point) => [point.x, point])));
  return places.map((x) => ({ x, values: byPlace.map((points) => points.get(x)) }));
}

/** Return by how much the second of two values is above the first, exact where both are; null where one is missing. */
export function differenceOf(row: Row, format: (value: number) => string): string | null {
  const [one, other] = row.values;
  if (!one || !other) return null;
  if (one.exact === undefined || other.exact === undefined || format !== asPercent) return formatSigned(other.y - one.y, format);
  const [less, more] = [exactOf(one.exact), exactOf(other.exact)];
  const gap: Exact = { over: more.over * less.under - less.over * more.under, under: more.under * less.under };
  const size = percent({ over: gap.over < 0n ? -gap.over : gap.over, under: gap.under });
  return gap.over === 0n ? size : `${gap.over < 0n ? "−" : "+"}${size}`;
}

function formatSigned(gap: number, format: (value: number) => string): string {
  return gap === 0 ? format(0) : `${gap < 0 ? "−" : "+"}${format(Math.abs(gap))}`;
}

/** Return a chart as CSV (RFC 4180), with exact values next to the rounded ones. Cells that look like formulas are quoted. */
export function csvOf(data: ChartData): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    const safe = typeof value === "string" && /^[=+@\t\r]|^-[^\d.]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const isExact = data.series.map((one) => one.points.some((point) => point.exact !== undefined));
  const head = [
    data.xName,
    ...data.series.flatMap((one, index) => [`${one.name} (${data.yName})`, ...(isExact[index] ? [`${one.name} (exact)`] : [])]),
  ];
  const rows = rowsOf(data).map((row) => [
    row.x,
    ...row.values.flatMap((point, index) => [point?.y ?? "", ...(isExact[index] ? [point?.exact ?? ""] : [])]),
  ]);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

export type Colours = { ink: string; soft: string; line: string; ground: string; series: string[] };

/** Return the ECharts option; it has no HTML, which the content security policy forbids. */
export function optionOf(data: ChartData, colours: Colours): Record<string, unknown> {
  const several = data.series.length > 1;
  const isHorizontal = data.kind === "rows";
  const isValue = data.scale === "value" && !isBars(data);
  const rows = isValue ? [] : rowsOf(data);
  const format = formatOf(data);
  const places = {
    type: isValue ? "value" : "category",
    ...(isValue
      ? { min: data.span?.[0] ?? "dataMin", max: data.span?.[1] ?? "dataMax" }
      : { data: rows.map((row) => String(row.x)), inverse: isHorizontal }),
    name: isHorizontal ? "" : data.xName,
    nameLocation: "middle",
    nameGap: 26,
    nameTextStyle: { color: colours.soft },
    axisLine: { lineStyle: { color: colours.line } },
    axisTick: { show: !isBars(data), lineStyle: { color: colours.line } },
    axisLabel: { color: colours.soft, hideOverlap: true, ...(isHorizontal ? { width: 130, overflow: "truncate" } : {}) },
    splitLine: { show: false },
  };
  const heights = {
    type: "value",
    ...(data.most === undefined ? { splitNumber: isHorizontal ? 3 : 4 } : { max: data.most, interval: data.most / 4 }),
    axisLabel: { color: colours.soft, formatter: format, hideOverlap: true },
    splitLine: { lineStyle: { color: colours.line, opacity: 0.5 } },
  };
  return {
    animation: false,
    aria: { enabled: true, label: { enabled: false }, decal: { show: isBars(data) && several } },
    color: colours.series,
    backgroundColor: "transparent",
    textStyle: { color: colours.ink, fontFamily: "system-ui, sans-serif" },
    grid: {
      left: 4,
      right: isHorizontal ? 28 : 18,
      top: (several ? 30 : 8) + 16 * Math.min(2, data.marks?.length ?? 0),
      bottom: isHorizontal ? 4 : 24,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: several ? { top: 0, itemWidth: 28, textStyle: { color: colours.ink } } : undefined,
    tooltip: {
      trigger: "axis",
      renderMode: "richText",
      confine: true,
      backgroundColor: colours.ground,
      borderColor: colours.line,
      textStyle: { color: colours.ink, fontSize: 13 },
      axisPointer: { type: isBars(data) ? "shadow" : "line", lineStyle: { color: colours.soft } },
      valueFormatter: (value: unknown) => (typeof value === "number" ? format(value) : "–"),
    },
    xAxis: isHorizontal ? heights : places,
    yAxis: isHorizontal ? places : heights,
    series: data.series.map((one, index) => ({
      name: one.name,
      type: isBars(data) ? "bar" : "line",
      step: data.kind === "steps" ? (data.steps === "before" ? "start" : "end") : undefined,
      showSymbol: !isValue && rows.length <= 30,
      symbol: ["circle", "diamond", "triangle", "rect"][index % 4],
      symbolSize: 7,
      lineStyle: { width: 2, type: index % 2 ? "dashed" : "solid" },
      areaStyle: data.filled && index === 0 ? { opacity: 0.22 } : undefined,
      barMaxWidth: isHorizontal ? 22 : 44,
      barGap: "10%",
      emphasis: { disabled: true },
      data: isValue ? one.points.map((point) => [point.x, point.y]) : rows.map((row) => row.values[index]?.y ?? null),
      markLine: index === 0 && data.marks?.length && !isHorizontal ? marksOf(data.marks, colours, isValue) : undefined,
    })),
  };
}

function isBars(data: ChartData): boolean {
  return data.kind === "bars" || data.kind === "rows";
}

function marksOf(marks: NonNullable<ChartData["marks"]>, colours: Colours, isValue: boolean): object {
  return {
    silent: true,
    symbol: "none",
    lineStyle: { color: colours.ink, type: "dotted", width: 1.5 },
    label: { color: colours.ink, formatter: "{b}", fontSize: 12 },
    data: marks.map((mark, index) => ({
      name: mark.name,
      xAxis: isValue ? mark.x : String(mark.x),
      label: { distance: 4 + 15 * (index % 2) },
    })),
  };
}

/** Return the name of a file for a title: "Hands of one roll" is "hands-of-one-roll". */
export function fileName(title: string): string {
  return title.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "") || "chart";
}
