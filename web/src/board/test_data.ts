/** Types and views of small games, for tests. */
import type { GameTypes, Json, JsonObject } from "./game_types";

const object = (properties: object, more: object = {}): object => ({ type: "object", properties, required: Object.keys(properties), additionalProperties: false, ...more });
const make = (types: object): GameTypes => ({ about: "", view: {}, action: {}, event: {}, parts: {}, ...types }) as unknown as GameTypes;
const CARD = { type: "string", pattern: "^([2-9]|10|[TJQKA])[♠♥♣♦]$", "x-show": "cards" };
const DIE = { type: "integer", minimum: 1, maximum: 6, "x-show": "die" };
const events = (action: object, outcome: object): object => ({
  anyOf: [
    object({ event: { enum: ["acted"] }, audience: {}, seat: { type: "integer" }, action: { anyOf: [action, { type: "null" }] } }, { additionalProperties: true }),
    object({ event: { enum: ["decided"] }, audience: {}, outcome: { anyOf: [outcome, { type: "null" }] } }, { additionalProperties: true }),
  ],
});

/** One die, a track for each seat, and a marker. */
export const PIG = make({
  game: "pig",
  view: { $ref: "#/$defs/Pig" },
  action: { enum: ["hold", "roll"] },
  event: events({ enum: ["hold", "roll"] }, { type: "integer", minimum: 1, "x-show": "die" }),
  parts: {
    Pig: object({
      seats: { type: "integer" },
      scores: { type: "array", items: { type: "integer", "x-show": "track", "x-up-to": "goal" }, "x-each": "seat" },
      seat: { type: "integer", minimum: 0, maximum: 99, "x-show": "seat" },
      pot: { type: "integer" },
      rolling: { type: "boolean", "x-show": "none" },
    }),
  },
});
export const PIG_VIEW: Json = { seats: 2, scores: [4, 16], seat: 1, pot: 3, rolling: true };

/** Cards that are texts, and simultaneous choices. */
const CHOICE = { enum: ["go_deeper", "leave"] };
export const CAVE = make({
  game: "cave",
  view: { $ref: "#/$defs/CaveView" },
  action: CHOICE,
  event: events(CHOICE, { type: "string" }),
  parts: {
    CaveView: object({
      seats: { type: "integer" },
      stock: { $ref: "#/$defs/Stock", "x-show": "cards" },
      path: { type: "array", items: { type: "string" }, "x-show": "cards" },
      on_path: { type: "integer" },
      inside: { type: "array", items: { type: "boolean" }, "x-each": "seat" },
      choices: { type: "array", items: { $ref: "#/$defs/Choices" }, "x-each": "seat" },
      entering: { type: "boolean", "x-show": "none" },
    }),
    Stock: object({ count: { type: "integer" } }),
    Choices: object({ given: { type: "boolean" }, seen: { anyOf: [CHOICE, { type: "null" }] } }),
  },
});
export const CAVE_RULES: JsonObject = { hazards: 3, richest: 9 };
export const CAVE_VIEW: Json = {
  seats: 2, stock: { count: 3 }, path: ["fire", "9"], on_path: 1, inside: [true, false],
  choices: [{ given: true, seen: "go_deeper" }, { given: true, seen: null }], entering: true,
};

/** Hands and dice in cups; actions are hands, dice, bids or words. Its view is one of two. */
const BID = object({ type: { enum: ["bid"] }, count: { type: "integer" }, face: { type: "integer" } });
export const SHOWDOWN = make({
  game: "showdown",
  view: { anyOf: [{ $ref: "#/$defs/Bidding" }, { $ref: "#/$defs/Table" }], discriminator: { propertyName: "type", mapping: {} } },
  action: { anyOf: [{ enum: ["pass_on", "call"] }, { type: "array", items: CARD }, { type: "array", items: DIE }, { $ref: "#/$defs/Bid" }] },
  event: events({ type: "array", items: CARD }, { type: "array", items: { type: "array", items: CARD } }),
  parts: {
    Bid: BID,
    Bidding: object({
      type: { enum: ["bidding"] },
      bid: object({ count: { type: "integer" }, face: { type: "integer" }, doubled: { type: "boolean" } }),
      said: { type: "array", items: { enum: ["no_bid", "raise"] } },
      note: { anyOf: [{ type: "string" }, { type: "null" }] },
    }),
    Table: object({
      type: { enum: ["table"] },
      hands: { type: "array", items: { $ref: "#/$defs/Hands" }, "x-each": "seat", "x-show": "cards" },
      cup: { type: "array", items: { $ref: "#/$defs/Cup" }, "x-each": "seat", "x-show": "die" },
      shown: { type: "array", items: { type: "array", items: CARD }, "x-each": "seat" },
    }),
    Hands: object({ count: { type: "integer" }, seen: { anyOf: [{ type: "array", items: CARD }, { type: "null" }] } }),
    Cup: object({ count: { type: "integer" }, seen: { anyOf: [{ type: "array", items: DIE }, { type: "null" }] } }),
  },
});
export const SHOWDOWN_VIEW: Json = {
  type: "table",
  hands: [{ count: 2, seen: ["Q♠", "10♥"] }, { count: 1, seen: null }],
  cup: [{ count: 2, seen: [6, 2] }, { count: 2, seen: null }],
  shown: [[], []],
};
