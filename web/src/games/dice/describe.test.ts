import { expect, it } from "vitest";
import type { Events } from "../../api/types";
import { describe as say } from "./describe";
import { scoreOf } from "./test_data";

const line = (event: object): string | null => say({ event: { audience: "everyone", ...event } as Events["dice"] });

it.each([
  [{ event: "round_began", round: 2, target: 1054, rerolls: 3, boss: null }, "Round 2 begins: target 1,054, 3 rerolls."],
  [{ event: "round_began", round: 4, target: 98, rerolls: 1, boss: "miser" }, "Round 4 begins against The Miser: target 98, 1 reroll."],
  [{ event: "fixed", die: { place: 1, face: 6 } }, "The lockdown holds die 2 at 6."],
  [{ event: "rolled", places: [0, 3], faces: [1, 2, 3, 4, 5], rerolls: 2 }, "2 dice rolled: 1 2 3 4 5; 2 rerolls left."],
  [{ event: "locked", place: 0 }, "Die 1 locked."],
  [{ event: "unlocked", place: 4 }, "Die 5 unlocked."],
  [{ event: "wild_set", place: 2, face: 6 }, "Die 3 set to 6."],
  [{ event: "scored", score: scoreOf(), target: 72 }, "Three of a kind: 90 points against 72. Round won."],
  [{ event: "scored", score: scoreOf({ hand: "low_road", total: 60 }), target: 72 }, "Low road: 60 points against 72. Below the target."],
  [{ event: "paid", payment: { total: 11 }, money: 23 }, "Paid $11: $23 in all."],
  [{ event: "shattered", places: [1], saved: [0, 2] }, "Shattered: die 2. Saved from shattering: dice 1, 3."],
  [{ event: "shattered", places: [], saved: [0] }, "Saved from shattering: die 1."],
  [{ event: "collected", place: 3 }, "The collector took die 4."],
  [{ event: "stocked", stock: {} }, "The shop is open."],
  [
    { event: "bought", purchase: { type: "buy_die", place: 1, die: { kind: "glass", level: 2 } }, price: 0, money: 3 },
    "Took glass +2 in the place of die 2 (free).",
  ],
  [{ event: "bought", purchase: { type: "buy_item", item: "odd_todd" }, price: 15, money: 3 }, "Bought Odd Todd ($15)."],
  [{ event: "bought", purchase: { type: "buy_upgrade", hand: "pair" }, price: 5, money: 3 }, "Pair raised by a level ($5)."],
  [{ event: "bought", purchase: { type: "buy_extra_die" }, price: 15, money: 3 }, "One more die ($15)."],
  [{ event: "ended", why: "below_target", won: 1, final_score: 1090 }, "The run is over after 1 round won: final score 1,090."],
])("says %o", (event, said) => {
  expect(line(event)).toBe(said);
});
