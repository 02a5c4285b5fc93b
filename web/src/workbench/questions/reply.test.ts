import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../../rules/schema";
import { blocksOf, cellOf, numbersIn, type Block } from "./reply";

const FRACTION: JsonSchema = { type: "string", pattern: "^-?[0-9]+(/0*[1-9][0-9]*)?$" };
const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    rules_id: { type: "string" },
    success: { $ref: "#/$defs/Share" },
    fires: { anyOf: [FRACTION, { type: "null" }], "x-unit": "chance" },
    mean: FRACTION,
    kind: { enum: ["two_pair"] },
    cards: { type: "array", items: { type: "string" } },
    open: { type: "boolean" },
    lead: { $ref: "#/$defs/Mean" },
    degrees: { type: "object", additionalProperties: { type: "integer" } },
    totals: { type: "array", items: { type: "array", prefixItems: [{ type: "integer" }, { type: "integer" }] } },
    bots: { type: "array", items: { $ref: "#/$defs/Bot" } },
    text: { type: "string" },
  },
  $defs: {
    Share: { type: "object", properties: { count: { type: "integer" }, total: { type: "integer" }, chance: { type: "number" } } },
    Mean: { type: "object", properties: { mean: { type: "number" }, error: { type: "number" } } },
    Bot: { type: "object", properties: { bot: { type: "string" }, win: { $ref: "#/$defs/Share" }, gain: { $ref: "#/$defs/Gain" } } },
    Gain: { type: "object", properties: { points: { type: "integer" } } },
  },
};
const share = (count: number, total: number) => ({ count, total, chance: count / total });
const REPLY = {
  rules_id: "1f",
  success: share(1, 3),
  fires: "5/18",
  mean: "7/2",
  kind: "two_pair",
  cards: ["A♠", "K♦"],
  open: false,
  lead: { mean: 1.5, error: 0.021 },
  degrees: { failure: 2000 },
  totals: [[2, 1], [3, 2]],
  bots: [{ bot: "greedy", win: share(1, 2), gain: { points: 4 } }],
  text: "one\ntwo",
};
const cell = (name: keyof typeof REPLY, value: unknown = REPLY[name]) => cellOf(SCHEMA.properties![name]!, value, SCHEMA);

describe("values of a reply", () => {
  it("are chances with their fractions where the schema says so", () => {
    expect(cell("success")).toMatchObject({ text: "33.33 %", detail: "1 / 3", chance: "1/3", isExact: true });
    expect(cell("fires")).toMatchObject({ text: "27.78 %", detail: "5/18", chance: "5/18" });
    expect(cell("fires", null)).toEqual({ text: "none" });
  });
  it("are exact numbers, names, lists, truths and estimates", () => {
    expect(cell("mean")).toMatchObject({ text: "3.5000", detail: "7/2", isExact: true });
    expect(cell("mean", "12")).toMatchObject({ text: "12", number: 12 });
    expect([cell("kind"), cell("cards"), cell("open"), cell("lead")].map((one) => one?.text)).toEqual([
      "Two pair",
      "A♠, K♦",
      "no",
      "1.5 ± 0.03",
    ]);
  });
  it("with parts are shown by themselves", () => {
    expect([cell("degrees"), cell("bots"), cell("totals")]).toEqual([null, null, null]);
  });
});

describe("a reply", () => {
  const blocks = blocksOf(SCHEMA, REPLY);
  const findBlock = (title: string): Block | undefined => blocks.find((block) => block.kind !== "figures" && block.title === title);

  it("has its figures first, and not the id of its rules", () => {
    expect(blocks[0]).toMatchObject({ kind: "figures" });
    expect(blocks[0]!.kind === "figures" && blocks[0]!.figures.map(({ name }) => name)).toEqual([
      "Success",
      "Fires",
      "Mean",
      "Kind",
      "Cards",
      "Open",
      "Lead",
    ]);
  });
  it("has a section for names with values", () => {
    expect(findBlock("Degrees")).toMatchObject({
      kind: "section",
      blocks: [{ kind: "figures", figures: [{ name: "Failure", cell: { text: "2,000" } }] }],
    });
  });
  it("has a table for rows, with columns for what is inside a row", () => {
    expect(findBlock("Totals")).toMatchObject({
      table: {
        columns: ["1", "2"],
        rows: [
          [{ text: "2" }, { text: "1" }],
          [{ text: "3" }, { text: "2" }],
        ],
      },
    });
    expect(findBlock("Bots")).toMatchObject({
      table: { columns: ["Bot", "Win", "Gain points"], rows: [[{ text: "greedy" }, { text: "50.00 %" }, { text: "4" }]] },
    });
  });
  it("has texts of several lines by themselves", () => {
    expect(findBlock("Text")).toEqual({ kind: "text", title: "Text", text: "one\ntwo" });
  });
  it("says which of its numbers can be drawn", () => {
    const found = numbersIn(SCHEMA, REPLY);

    expect(found.map(({ path }) => path)).toEqual([
      "success",
      "fires",
      "mean",
      "lead",
      "degrees.failure",
      "totals.0.0",
      "totals.0.1",
      "totals.1.0",
      "totals.1.1",
      "bots.0.win",
      "bots.0.gain.points",
    ]);
    expect(found.find(({ path }) => path === "bots.0.win")).toEqual({ path: "bots.0.win", name: "Bots · Greedy · Win", isChance: true });
  });
});
