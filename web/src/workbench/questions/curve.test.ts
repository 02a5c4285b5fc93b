import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../rules/schema";
import { curveVariables, chartOf, usualRange, valuesOf, type CurveVariable } from "./curve";
import { requestForm, startValues } from "./request";

const NUMBER: JsonSchema = { type: "integer", minimum: 0, maximum: 10 };
const WHO: JsonSchema = {
  type: "object",
  properties: {
    suits: { type: "object", additionalProperties: { type: "number" }, propertyNames: { enum: ["spades", "hearts"] }, default: {} },
    level: { anyOf: [{ type: "integer" }, { type: "null" }], default: null },
  },
};
const FORM = requestForm({
  type: "object",
  properties: {
    at: { ...NUMBER, default: 3 },
    name: { type: "string", default: "" },
    who: { anyOf: [{ type: "string" }, WHO], default: {} },
    skills: { type: "object", additionalProperties: NUMBER, default: {} },
  },
});
const START = startValues(FORM);
const paths = (values: object, texts: readonly string[] = []): string[] =>
  curveVariables(FORM, { ...START, ...values }, texts).map(({ path }) => path);

describe("numbers that a curve can change", () => {
  it("are those of the form, and those that were added to a table", () => {
    expect(paths({})).toEqual(["at"]);
    expect(paths({ skills: { stealth: 4 } })).toEqual(["at", "skills.stealth"]);
  });
  it("are inside what is given in fields, and in a text only where the server can change it", () => {
    expect(paths({ who: { suits: {}, level: null } })).toEqual(["at", "who.suits.spades", "who.suits.hearts", "who.level"]);
    expect(paths({ who: "greenhorn" })).toEqual(["at"]);
    expect(paths({ who: "greenhorn" }, ["who"])).toEqual(["at", "who.suits.spades", "who.suits.hearts", "who.level"]);
  });
});

describe("the values of a curve", () => {
  const makeVariable = (part: Partial<CurveVariable>): CurveVariable => ({
    path: "at",
    name: "At",
    least: null,
    most: null,
    whole: true,
    now: null,
    ...part,
  });

  it("go over all that a number may be, or around what it is", () => {
    expect(usualRange(makeVariable({ least: 0, most: 10 }))).toEqual({ from: 0, to: 10, points: 11 });
    expect(usualRange(makeVariable({ least: -1000, most: 1000, now: 40 }))).toEqual({ from: 30, to: 50, points: 21 });
    expect(usualRange(makeVariable({ now: 6 }))).toEqual({ from: 1, to: 21, points: 21 });
  });
  it("are in equal steps, and whole where the number is", () => {
    expect(valuesOf({ from: 0, to: 1, points: 5 }, false)).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(valuesOf({ from: 0, to: 3, points: 7 }, true)).toEqual([0, 1, 2, 3]);
    expect(valuesOf({ from: 0, to: 1000, points: 5000 }, true)).toHaveLength(101);
  });
  it("become a chart of the points that have a number", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { win: { anyOf: [{ type: "string", pattern: "^-?[0-9]+(/0*[1-9][0-9]*)?$" }, { type: "null" }], "x-unit": "chance" } },
    };
    const points = [{ at: 0, reply: { win: null } }, { at: 1, reply: { win: "1/4" } }];
    const chart = chartOf({ over: "at", points }, makeVariable({}), { path: "win", name: "Win", isChance: true }, schema, { win: "1/2" });

    expect(chart).toMatchObject({
      title: "Win by at",
      xName: "At",
      certainty: "exact",
      series: [{ name: "Win", points: [{ x: 1, y: 0.25, exact: "1/4" }] }],
    });
  });
});
