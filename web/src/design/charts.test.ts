import { describe, expect, it } from "vitest";
import { csvOf, differenceOf, fileName, formatOf, optionOf, rowsOf, type ChartData } from "./charts";

const COLOURS = { ink: "#000", soft: "#444", line: "#ccc", ground: "#fff", series: ["#a00", "#00a"] };

const two: ChartData = {
  title: "Totals",
  kind: "bars",
  xName: "total",
  yName: "chance",
  certainty: "exact",
  series: [
    { name: "A", points: [{ x: 10, y: 0.5, exact: "1/2" }, { x: 2, y: 0.25, exact: "1/4" }] },
    { name: "B", points: [{ x: 2, y: 1 / 3, exact: "1/3" }] },
  ],
};

describe("charts as data", () => {
  it("has one row for each x, in order of size, with gaps where a series has nothing", () => {
    expect(rowsOf(two).map((row) => [row.x, row.values.map((point) => point?.exact)])).toEqual([
      [2, ["1/4", "1/3"]],
      [10, ["1/2", undefined]],
    ]);
  });

  it("keeps the order of names as it is given", () => {
    const named = { ...two, series: [{ name: "A", points: [{ x: "win", y: 1 }, { x: "draw", y: 0 }] }] };

    expect(rowsOf(named).map((row) => row.x)).toEqual(["win", "draw"]);
  });

  it("subtracts exact values exactly", () => {
    const [both, one] = rowsOf(two);

    expect(differenceOf(both!, formatOf(two))).toBe("+8.33 %");
    expect(differenceOf(one!, formatOf(two))).toBeNull();
    expect(
      differenceOf(
        {
          x: 1,
          values: [
            { x: 1, y: 0.1, exact: "1/10" },
            { x: 1, y: 0.1, exact: "2/20" },
          ],
        },
        formatOf(two),
      ),
    ).toBe("0.00 %");
    expect(differenceOf({ x: 1, values: [{ x: 1, y: 5 }, { x: 1, y: 3 }] }, (value) => value.toFixed(1))).toBe("−2.0");
  });

  it("writes CSV with the exact values beside the others, and nothing that a spreadsheet would run", () => {
    expect(csvOf(two)).toBe("total,A (chance),A (exact),B (chance),B (exact)\r\n2,0.25,1/4,0.3333333333333333,1/3\r\n10,0.5,1/2,,\r\n");
    const evil = { ...two, xName: "=1+1", series: [{ name: 'say "hi"', points: [{ x: "@x", y: 1 }] }] };

    expect(csvOf(evil)).toBe(`'=1+1,"say ""hi"" (chance)"\r\n'@x,1\r\n`);
  });

  it("draws numbers as far apart as they are, with marks between them", () => {
    const option = optionOf({ ...two, kind: "steps", scale: "value", marks: [{ x: 7, name: "target" }] }, COLOURS) as any;

    expect(option.xAxis.type).toBe("value");
    expect(option.series[0].data).toEqual([[10, 0.5], [2, 0.25]]);
    expect(option.series[0].markLine.data).toMatchObject([{ name: "target", xAxis: 7 }]);
    expect(option.series[1].lineStyle.type).toBe("dashed");
  });

  it("tells two series of bars apart by more than colour", () => {
    expect((optionOf(two, COLOURS) as any).aria.decal.show).toBe(true);
  });

  it("lays bars with long names on their side", () => {
    const option = optionOf({ ...two, kind: "rows" }, COLOURS) as any;

    expect([option.xAxis.type, option.yAxis.type]).toEqual(["value", "category"]);
  });

  it("names files by their title", () => {
    expect(fileName("Chance of at least …, by A")).toBe("chance-of-at-least-by-a");
    expect(fileName("…")).toBe("chart");
  });
});
