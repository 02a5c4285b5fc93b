import { expect, it } from "vitest";
import type { BuildReply, ShopReply } from "./questions";
import { diceOnOffer, extraOnOffer, gainText, greatestGain, itemsOnOffer, upgradesOnOffer, worthAt } from "./offers";
import type { Action } from "./action_queue.svelte";
import { viewOf } from "./test_data";

const glass = { kind: "glass", level: 1 };
const view = viewOf({ stage: "shop", money: 12, stock: { dice: [glass], items: ["high_roller"], upgrades: ["pair"], free_choices: 1 } });
const actions: Action[] = [
  { type: "buy_die", place: 0, die: glass },
  { type: "buy_die", place: 1, die: glass },
  { type: "buy_upgrade", hand: "pair" },
  { type: "leave" },
];
const quote = { prices: { dice: [0], items: [20], upgrades: [0], extra_die: 15 } } as unknown as BuildReply;
const worths = {
  offers: [
    { purchase: { type: "buy_die", place: 0, die: glass }, gain: "1/20" },
    { purchase: { type: "buy_upgrade", hand: "pair" }, gain: "-1/8" },
  ],
} as unknown as ShopReply;

it("puts price, what is missing, actions and worth beside each thing on offer", () => {
  expect(diceOnOffer(view, actions, quote, worths)[0]).toMatchObject({
    thing: glass,
    price: 0,
    missing: 0,
    actions: [actions[0], actions[1]],
    worth: worths.offers[0],
  });
  expect(itemsOnOffer(view, actions, quote, worths)[0]).toMatchObject({
    thing: "high_roller",
    price: 20,
    missing: 8,
    actions: [],
    worth: null,
  });
  expect(upgradesOnOffer(view, actions, quote, worths)[0]).toMatchObject({
    thing: "pair",
    price: 0,
    missing: 0,
    actions: [actions[2]],
    worth: worths.offers[1],
  });
  expect(extraOnOffer(view, actions, quote, worths)).toMatchObject({ price: 15, missing: 3, actions: [], worth: null });
});

it("offers no extra die to a full pool, and knows no price before it is told", () => {
  expect(extraOnOffer(view, actions, { prices: { extra_die: null } } as unknown as BuildReply, null)).toBeNull();
  expect(extraOnOffer(view, actions, null, null)).toMatchObject({ price: null, missing: 0 });
});

it("values a die at every place whose die is alike", () => {
  expect(worthAt(worths, view, glass, 4)).toBe(worths.offers[0]);
  expect(worthAt(null, view, glass, 4)).toBeNull();
});

it("says gains in percentage points, with their sign", () => {
  expect(["1/20", "-1/8", "0"].map(gainText)).toEqual(["+5.00", "−12.50", "+0.00"]);
  expect(greatestGain(worths)).toBeCloseTo(0.05, 12);
});
