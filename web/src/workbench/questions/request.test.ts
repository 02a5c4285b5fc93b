import { describe, expect, it } from "vitest";
import type { Field, JsonSchema } from "../../rules/schema";
import { fillForm, requestForm, requestOf, startValues } from "./request";

const TEXT: JsonSchema = { type: "string" };
const NULL: JsonSchema = { type: "null" };
const SCHEMA: JsonSchema = {
  type: "object",
  properties: {
    rules: { anyOf: [TEXT, { type: "object" }], default: "default" },
    target: { anyOf: [TEXT, { type: "integer" }, { type: "number" }], description: "A name, or a number." },
    at: { type: "integer", minimum: -5, maximum: 5, default: 0 },
    place: { type: "integer", minimum: 0, exclusiveMaximum: 4, default: 0 },
    full: { type: "boolean", default: false },
    deck: { $ref: "#/$defs/Deck", default: "fresh" },
    best: { anyOf: [{ type: "integer", minimum: 1 }, NULL], default: null },
    note: { anyOf: [TEXT, NULL], default: null },
    hidden: { anyOf: [{ type: "boolean" }, NULL], default: null },
    cards: { type: "array", items: { type: "string", pattern: "^[2-9]$" }, default: [] },
    gang: { type: "array", items: { anyOf: [TEXT, { $ref: "#/$defs/Who" }] }, default: [] },
    levels: { type: "object", additionalProperties: { type: "integer" }, default: {} },
    who: { anyOf: [TEXT, { $ref: "#/$defs/Who" }], default: { skills: {}, level: null } },
    known: { anyOf: [{ $ref: "#/$defs/Who" }, NULL], default: null },
    thing: { anyOf: [{ $ref: "#/$defs/Hand" }, { $ref: "#/$defs/Pile" }] },
  },
  required: ["target", "thing"],
  $defs: {
    Deck: { enum: ["depleting", "fresh"] },
    Who: {
      title: "Who",
      type: "object",
      properties: {
        skills: { type: "object", additionalProperties: { type: "integer" }, default: {} },
        level: { anyOf: [{ type: "integer" }, NULL], default: null },
      },
    },
    Hand: { title: "Hand", type: "object", properties: { type: { enum: ["hand"] }, card: TEXT }, required: ["type", "card"] },
    Pile: {
      title: "Pile",
      type: "object",
      properties: { type: { enum: ["pile"] }, place: { type: "integer" } },
      required: ["type", "place"],
    },
  },
};
const FORM = requestForm(SCHEMA);
const FIELDS = new Map<string, Field>(FORM.fields);
const START = startValues(FORM);

describe("the fields of a request", () => {
  it("leave the rules out, which have a part of their own", () => {
    expect(FIELDS.has("rules")).toBe(false);
  });
  it("are of the kind that the schema says, with bounds", () => {
    expect(FIELDS.get("at")).toMatchObject({ kind: "number", whole: true, least: -5, most: 5 });
    expect(FIELDS.get("place")).toMatchObject({ kind: "number", most: 3 });
    expect(FIELDS.get("full")).toMatchObject({ kind: "switch", look: "switch" });
    expect(FIELDS.get("deck")).toMatchObject({ kind: "choice", options: ["depleting", "fresh"] });
    expect(FIELDS.get("levels")).toMatchObject({ kind: "table", each: { kind: "number" } });
  });
  it("are left empty where they may be left out", () => {
    expect(FIELDS.get("best")).toMatchObject({ kind: "number", optional: true, least: 1 });
    expect(FIELDS.get("note")).toMatchObject({ kind: "text", optional: true });
    expect(FIELDS.get("hidden")).toMatchObject({ kind: "choice", options: [null, true, false] });
  });
  it("are a text where the game reads one, or in fields where it has them", () => {
    expect(FIELDS.get("target")).toMatchObject({ kind: "text", about: "A name, or a number." });
    expect(FIELDS.get("who")).toMatchObject({ kind: "either", forms: [{ kind: "text" }, { kind: "group" }] });
    expect(FIELDS.get("known")).toMatchObject({ kind: "either", forms: [{ kind: "choice", options: [null] }, { kind: "group" }] });
  });
  it("of a list of texts have one a line, unless each is a word", () => {
    expect(FIELDS.get("gang")).toMatchObject({ kind: "list", look: "lines", each: { kind: "text" } });
    expect(FIELDS.get("cards")).toMatchObject({ kind: "list", each: { kind: "text", isWord: true } });
    expect(FIELDS.get("cards")).not.toHaveProperty("look");
  });
  it("hide what has only one value, and tells forms apart", () => {
    const hand = (FIELDS.get("thing") as Extract<Field, { kind: "either" }>).forms[0] as Extract<Field, { kind: "group" }>;

    expect(new Map(hand.fields).get("type")).toMatchObject({ look: "hidden" });
  });
});

describe("the values of a request", () => {
  it("begin with the defaults", () => {
    expect(START).toEqual({
      target: "", at: 0, place: 0, full: false, deck: "fresh", best: null, note: null, hidden: null,
      cards: [], gang: [], levels: {}, who: "", known: null, thing: { type: "hand", card: "" },
    });
  });
  it("are sent where they were changed or are required", () => {
    expect(requestOf(FORM, START)).toEqual({ target: "", thing: { type: "hand", card: "" } });
    expect(requestOf(FORM, { ...START, target: "x", at: 2, note: "y", gang: ["a b"] })).toEqual({
      target: "x",
      at: 2,
      note: "y",
      gang: ["a b"],
      thing: { type: "hand", card: "" },
    });
  });
  it("leave a number out that is empty, so that the server says what is missing", () => {
    expect(requestOf(FORM, { ...START, at: "", thing: { type: "pile", place: "" } })).toEqual({ target: "", thing: { type: "pile" } });
  });
  it("take an example, and complete the groups in it", () => {
    const filled = fillForm(FORM, { target: "x", who: { skills: { a: 4 } }, strange: 1 });

    expect(filled).toEqual({ ...START, target: "x", who: { skills: { a: 4 }, level: null } });
    expect(requestOf(FORM, filled)).toEqual({ target: "x", who: { skills: { a: 4 }, level: null }, thing: { type: "hand", card: "" } });
  });
});
