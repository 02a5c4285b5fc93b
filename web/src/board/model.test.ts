import { describe, expect, it } from "vitest";
import { boardOf } from "./model";
import { CAVE, CAVE_RULES, CAVE_VIEW, PIG, PIG_VIEW, SHOWDOWN, SHOWDOWN_VIEW } from "./test_data";

describe("the model of a board", () => {
  it("has a track for each seat, up to the rule that bounds it, and a marker where a seat is named", () => {
    const { seats, facts, pieces } = boardOf(PIG, PIG_VIEW, { goal: 30, sides: 6 }, 2);

    expect(seats.map((seat) => seat.fields)).toEqual(
      [4, 16].map((value) => [{ name: "scores", label: "Scores", shown: { kind: "track", value, least: 0, most: 30, end: 30 } }]),
    );
    expect(seats.map((seat) => seat.marks)).toEqual([[], ["Seat"]]);
    expect(facts).toEqual([{ name: "pot", label: "Pot", shown: { kind: "number", value: 3 } }]);
    expect(pieces).toEqual([]);
  });

  it("lets tracks without a bound end at the greatest value of all seats", () => {
    const { seats } = boardOf(PIG, PIG_VIEW, {}, 2);

    expect(seats.map((seat) => seat.fields[0]!.shown)).toMatchObject([{ most: null, end: 16 }, { most: null, end: 16 }]);
  });

  it("draws cards of any text, hidden ones by their number, and nothing of what is marked as aside", () => {
    const { pieces, facts } = boardOf(CAVE, CAVE_VIEW, CAVE_RULES, 2);
    const card = (face: string | null) => ({ kind: "card", face });

    expect(pieces).toEqual([
      { name: "stock", label: "Stock", shown: { kind: "pieces", of: "card", pieces: [card(null), card(null), card(null)] } },
      { name: "path", label: "Path", shown: { kind: "pieces", of: "card", pieces: [card("fire"), card("9")] } },
    ]);
    expect(facts.map((field) => field.label)).toEqual(["On path"]);
  });

  it("says of a hidden choice whether there is one, and shows the viewer's own", () => {
    const { seats } = boardOf(CAVE, CAVE_VIEW, CAVE_RULES, 2);

    expect(seats.map((seat) => seat.fields.find((field) => field.name === "choices")?.shown)).toEqual([
      { kind: "text", text: "Go deeper" },
      { kind: "secret", given: true },
    ]);
    expect(seats.map((seat) => seat.fields.find((field) => field.name === "inside")?.shown)).toEqual([
      { kind: "flag", on: true },
      { kind: "flag", on: false },
    ]);
  });

  it("draws a hand to its owner, backs to others, hidden dice as dice, and leaves out empty piles", () => {
    const { seats } = boardOf(SHOWDOWN, SHOWDOWN_VIEW, {}, 2);

    expect(seats[0]!.fields.map((field) => [field.name, field.shown])).toEqual([
      ["hands", { kind: "pieces", of: "card", pieces: [{ kind: "card", face: "Q♠" }, { kind: "card", face: "10♥" }] }],
      ["cup", { kind: "pieces", of: "die", pieces: [{ kind: "die", face: 6 }, { kind: "die", face: 2 }] }],
    ]);
    expect(seats[1]!.fields.map((field) => [field.name, field.shown])).toEqual([
      ["hands", { kind: "pieces", of: "card", pieces: [{ kind: "card", face: null }] }],
      ["cup", { kind: "pieces", of: "die", pieces: [{ kind: "die", face: null }, { kind: "die", face: null }] }],
    ]);
  });

  it("takes the schema of a tagged view by its tag, and shows groups, lists and sentences without words for showing", () => {
    const { facts, pieces } = boardOf(SHOWDOWN, { type: "bidding", bid: { count: 3, face: 5, doubled: true }, said: ["no_bid", "raise"], note: null }, {}, 0);

    expect(pieces).toEqual([]);
    expect(facts).toEqual([
      {
        name: "bid",
        label: "Bid",
        shown: {
          kind: "group",
          fields: [
            { name: "count", label: "Count", shown: { kind: "number", value: 3 } },
            { name: "face", label: "Face", shown: { kind: "number", value: 5 } },
            { name: "doubled", label: "Doubled", shown: { kind: "flag", on: true } },
          ],
        },
      },
      { name: "said", label: "Said", shown: { kind: "list", items: [{ kind: "text", text: "No bid" }, { kind: "text", text: "Raise" }] } },
    ]);
  });

  it("is made of the JSON alone where there is no schema", () => {
    const empty = { game: "x", about: "", view: {}, action: {}, event: {}, parts: {} };

    expect(boardOf(empty, { seats: 2, points: 7, deep: { er: [1] }, secret: {} }, {}, 2).facts.map((field) => field.name)).toEqual(["points", "deep"]);
    expect(boardOf(empty, null, {}, 1)).toEqual({ pieces: [], facts: [], seats: [{ seat: 0, marks: [], fields: [] }] });
  });
});
