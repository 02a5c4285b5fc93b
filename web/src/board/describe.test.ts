import { describe, expect, it } from "vitest";
import { describeEvent } from "./describe";
import type { GameTypes, JsonObject } from "./game_types";
import { CAVE, PIG, SHOWDOWN } from "./test_data";

const say = (types: GameTypes, event: JsonObject): string => describeEvent(types, { audience: "everyone", ...event }, {}, (seat) => ["Ann", "Bob"][seat]!);
const acted = (seat: number, action: unknown): JsonObject => ({ event: "acted", seat, action }) as JsonObject;
const decided = (outcome: unknown): JsonObject => ({ event: "decided", outcome }) as JsonObject;

describe("an event as a sentence", () => {
  it.each<[GameTypes, JsonObject, string]>([
    [PIG, acted(0, "roll"), "Ann rolls."],
    [PIG, acted(1, "hold"), "Bob holds."],
    [CAVE, acted(0, "go_deeper"), "Ann chooses “go deeper”."],
    [CAVE, acted(1, null), "Bob has chosen."],
    [SHOWDOWN, acted(0, ["Q♠", "10♥"]), "Ann chooses Q♠ 10♥."],
    [SHOWDOWN, acted(0, []), "Ann chooses no cards."],
    [SHOWDOWN, acted(1, { type: "bid", count: 3, face: 5 }), "Bob bids: count 3, face 5."],
    [PIG, decided(4), "The die shows 4."],
    [PIG, decided(null), "Dice are rolled in secret."],
    [CAVE, decided("fire"), "Luck decides: fire."],
    [CAVE, decided(null), "Luck has decided, in secret."],
    [SHOWDOWN, decided([[], ["3♠", "K♠"], ["4♦"]]), "Luck deals 3♠ K♠ and 4♦."],
    [SHOWDOWN, decided(null), "Cards are dealt face down."],
    [PIG, { event: "turn_ended", seat: 1, lost: 5 }, "Bob: turn ended, lost 5."],
    [PIG, { event: "new_round" }, "New round."],
  ])("%# says what the schema knows", (types, event, sentence) => {
    expect(say(types, event)).toBe(sentence);
  });
});
