import { describe, expect, it } from "vitest";
import { at, differences, findPaths, isInside, label, pathText, isEqual, withAt, withoutAt } from "./changes";
import { listOf, placeOf } from "./form";
import { fieldOf, fits, defaultValue, isSimple, type Field, type JsonSchema } from "./schema";

const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    rounds: { type: "integer", minimum: 1, maximum: 100, default: 20 },
    share: { type: "number", default: 0.5 },
    open: { type: "boolean", default: true },
    deck: { $ref: "#/$defs/DeckKind", default: "fresh" },
    house: { $ref: "#/$defs/House", default: { hp: 50, cards: [[1], [2]] } },
    npcs: { type: "object", additionalProperties: { type: "integer", minimum: 1 }, minProperties: 1, default: { rookie: 10 } },
    checks: { type: "object", additionalProperties: { $ref: "#/$defs/Check" }, default: { easy: { target: 2 } } },
    pair: { type: "array", prefixItems: [{ type: "integer" }, { type: "number" }], items: false, default: [1, 2] },
  },
  $defs: {
    DeckKind: { description: "What becomes of used cards (§3.2, §3.3).\n\nMore.", enum: ["depleting", "fresh"] },
    House: {
      type: "object",
      properties: {
        hp: { type: "integer", minimum: 1 },
        cards: { type: "array", items: { type: "array", items: { type: "integer" } }, minItems: 1 },
      },
    },
    Check: { type: "object", properties: { target: { anyOf: [{ type: "integer" }, { enum: ["none"] }], default: "none" } } },
  },
};
const ROOT = fieldOf(SCHEMA) as Extract<Field, { kind: "group" }>;
const FIELDS = new Map(ROOT.fields);
const RULES = {
  rounds: 20,
  share: 0.5,
  open: true,
  deck: "fresh",
  house: { hp: 50, cards: [[1], [2]] },
  npcs: { rookie: 10 },
  checks: { easy: { target: 2 } },
  pair: [1, 2],
};

describe("fields of a schema", () => {
  it("are of the kind that the schema says, with its bounds", () => {
    expect(FIELDS.get("rounds")).toMatchObject({ kind: "number", whole: true, least: 1, most: 100 });
    expect(FIELDS.get("share")).toMatchObject({ kind: "number", whole: false, least: null, most: null });
    expect(FIELDS.get("open")).toMatchObject({ kind: "switch" });
    expect(FIELDS.get("house")).toMatchObject({ kind: "group" });
    expect(FIELDS.get("npcs")).toMatchObject({ kind: "table", names: null, fewest: 1, each: { kind: "number" } });
    expect(FIELDS.get("pair")).toMatchObject({ kind: "row" });
  });
  it("tell what they are for in one paragraph, without references", () => {
    expect(FIELDS.get("deck")).toMatchObject({ kind: "choice", options: ["depleting", "fresh"], about: "What becomes of used cards." });
  });
  it("are simple where one control does", () => {
    expect(["rounds", "deck", "pair", "house", "npcs"].map((name) => isSimple(FIELDS.get(name)!))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
  it("begin with their default, or the least that they may be", () => {
    expect(defaultValue(FIELDS.get("rounds")!)).toBe(20);
    expect(defaultValue((FIELDS.get("npcs") as Extract<Field, { kind: "table" }>).each)).toBe(1);
    expect(defaultValue((FIELDS.get("checks") as Extract<Field, { kind: "table" }>).each)).toEqual({ target: "none" });
    expect(
      defaultValue(
        fieldOf({ type: "object", properties: { a: { type: "string" }, b: { type: "array", items: { type: "boolean" }, minItems: 2 } } }),
      ),
    ).toEqual({ a: "", b: [false, false] });
  });
  it("know what can stand in them", () => {
    const target = fieldOf({ anyOf: [{ type: "integer" }, { enum: ["none"] }] });

    expect([3, "none", "x", null].map((value) => fits(value, target))).toEqual([true, true, false, false]);
  });
  it("of a schema that nothing is known about take anything", () => {
    expect(fieldOf({}).kind).toBe("anything");
    expect(fieldOf({ $ref: "#/$defs/Missing" }).kind).toBe("anything");
  });
});

describe("changes", () => {
  it("keep only what differs, whatever the order of keys", () => {
    expect(isEqual({ a: 1, b: [1] }, { b: [1], a: 1 })).toBe(true);
    expect(isEqual([1, 2], { 0: 1, 1: 2 })).toBe(false);
    expect(differences({ ...RULES, npcs: { rookie: 11 } }, RULES)).toEqual({ npcs: { rookie: 11 } });
    expect(differences({ ...RULES }, RULES)).toEqual({});
  });
  it("make new rules, and leave the old ones", () => {
    const next = withAt(RULES, ["house", "cards", 1, 0], 5);

    expect(at(next, ["house", "cards"])).toEqual([[1], [5]]);
    expect(RULES.house.cards).toEqual([[1], [2]]);
    expect(at(withoutAt(RULES, ["house", "cards", 0]), ["house", "cards"])).toEqual([[2]]);
    expect(at(withoutAt(RULES, ["npcs", "rookie"]), ["npcs"])).toEqual({});
  });
  it("have paths that read as the server says them", () => {
    expect(pathText(["house", "cards", 0, 1])).toBe("house.cards[0][1]");
    expect(isInside("house.cards[0][1]", "house")).toBe(true);
    expect(isInside("households", "house")).toBe(false);
  });
  it("have names for people", () => {
    expect(label("hp_per_difficulty")).toBe("Hp per difficulty");
  });
});

describe("a search", () => {
  it("finds names at every depth, and shows the way to them", () => {
    expect(findPaths(ROOT.fields, RULES, "")).toBeNull();
    expect([...findPaths(ROOT.fields, RULES, "rookie")!]).toEqual(["npcs.rookie", "npcs"]);
    expect([...findPaths(ROOT.fields, RULES, "easy")!].sort()).toEqual(["checks", "checks.easy", "checks.easy.target"]);
    expect(findPaths(ROOT.fields, RULES, "zzz")!.size).toBe(0);
  });
  it("finds what is chosen", () => {
    expect([...findPaths(ROOT.fields, RULES, "fresh")!]).toEqual(["deck"]);
  });
});

describe("the place of a refusal", () => {
  it("is the innermost one that the form has", () => {
    expect(placeOf("rounds", ROOT.fields, RULES)).toEqual(["rounds"]);
    expect(placeOf("house.cards[1][0]", ROOT.fields, RULES)).toEqual(["house", "cards", 1]);
    expect(placeOf("checks.easy.trigger", ROOT.fields, RULES)).toEqual(["checks", "easy"]);
    expect(placeOf("pair[1]", ROOT.fields, RULES)).toEqual(["pair"]);
    expect(placeOf("nowhere", ROOT.fields, RULES)).toBeNull();
  });
});

describe("a list in one line", () => {
  it("is read as numbers where they are, and kept as text where they are not", () => {
    expect(listOf("1, 2  3,x", { numbers: true })).toEqual([1, 2, 3, "x"]);
    expect(listOf("normal, wild", { numbers: false })).toEqual(["normal", "wild"]);
  });
});
