/** A chart as data: what is drawn, what its table says, and what its files hold are made from the same numbers. */

export type Point = { x: number | string; y: number; /** The exact value as text, for table and CSV. */ exact?: string };
export type Series = { name: string; points: Point[] };
export type ChartData = {
  title: string;
  kind: "bars" | "line" | "steps";
  xName: string;
  yName: string;
  series: Series[];
  /** Vertical marks: thresholds and targets. */
  marks?: { x: number | string; name: string }[];
  /** How a value is shown on the axis and in the table. */
  format?: (value: number) => string;
  /** "exact", or how far values may be off. */
  certainty: string;
};

const asPercent = (value: number): string => `${Number((value * 100).toPrecision(4))} %`;

export function formatOf(data: ChartData): (value: number) => string {
  return data.format ?? asPercent;
}

/** Return the rows of a chart: one for each x, with a value, or nothing, for each series. */
export function rowsOf(data: ChartData): { x: number | string; values: (Point | undefined)[] }[] {
  const places = [...new Set(data.series.flatMap((one) => one.points.map((point) => point.x)))];
  if (places.every((x) => typeof x === "number")) places.sort((a, b) => Number(a) - Number(b));
  const byPlace = data.series.map((one) => new Map(one.points.map((point) => [point.x, point])));
  return places.map((x) => ({ x, values: byPlace.map((points) => points.get(x)) }));
}

/** Return a chart as CSV (RFC 4180), exact values where they are known; a cell never begins as a formula would. */
export function csvOf(data: ChartData): string {
  const cell = (value: string | number): string => {
    const text = String(value);
    const safe = typeof value === "string" && /^[=+@\t\r]|^-[^\d.]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const head = [data.xName, ...data.series.map((one) => `${one.name} (${data.yName})`)];
  const rows = rowsOf(data).map((row) => [row.x, ...row.values.map((point) => (point ? (point.exact ?? point.y) : ""))]);
  return [head, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

type Colours = { ink: string; soft: string; line: string; series: string[] };

/** Return what ECharts draws; nothing of it is HTML, so that a strict policy holds. */
export function optionOf(data: ChartData, colours: Colours): object {
  const format = formatOf(data);
  const rows = rowsOf(data);
  return {
    animation: false,
    aria: { enabled: true, label: { enabled: false }, decal: { show: data.kind === "bars" && data.series.length > 1 } },
    color: colours.series,
    textStyle: { color: colours.ink, fontFamily: "system-ui, sans-serif" },
    grid: { left: 8, right: 20, top: data.series.length > 1 ? 40 : 20, bottom: 30, containLabel: true },
    legend: data.series.length > 1 ? { top: 0, textStyle: { color: colours.ink } } : undefined,
    tooltip: {
      trigger: "axis",
      renderMode: "richText",
      axisPointer: { type: data.kind === "bars" ? "shadow" : "line" },
      valueFormatter: (value: unknown) => (typeof value === "number" ? format(value) : "–"),
    },
    xAxis: {
      type: "category",
      data: rows.map((row) => String(row.x)),
      name: data.xName,
      nameLocation: "middle",
      nameGap: 28,
      axisLine: { lineStyle: { color: colours.line } },
      axisLabel: { color: colours.soft, hideOverlap: true },
    },
    yAxis: { type: "value", axisLabel: { color: colours.soft, formatter: format }, splitLine: { lineStyle: { color: colours.line, opacity: 0.5 } } },
    series: data.series.map((one, index) => ({
      name: one.name,
      type: data.kind === "bars" ? "bar" : "line",
      step: data.kind === "steps" ? "end" : undefined,
      showSymbol: rows.length <= 30,
      symbol: ["circle", "diamond", "triangle", "rect"][index % 4],
      lineStyle: { width: 2.5, type: index % 2 ? "dashed" : "solid" },
      barMaxWidth: 44,
      data: rows.map((row) => row.values[index]?.y ?? null),
      markLine:
        index === 0 && data.marks?.length
          ? {
              silent: true,
              symbol: "none",
              lineStyle: { color: colours.ink, type: "dashed" },
              label: { color: colours.ink, formatter: "{b}" },
              data: data.marks.map((mark) => ({ name: mark.name, xAxis: String(mark.x) })),
            }
          : undefined,
    })),
  };
}

/** Let the browser save a text as a file. */
export function save(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
