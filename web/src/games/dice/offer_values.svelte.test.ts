// @vitest-environment happy-dom
import { flushSync } from "svelte";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { tableOf, viewOf } from "./test_data";
import { OfferValues } from "./offer_values.svelte";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  [3, "all"],
  [2, "without_dice"],
  [1, "next_round"],
  [0, "next_round"],
])("asks about fewer things until %i are not too many", async (most, part) => {
  vi.stubGlobal("fetch", (_url: string, init: RequestInit) => {
    const { stock } = JSON.parse(String(init.body)) as { stock: { dice: unknown[]; items: unknown[] } };
    const isTooMuch = stock.dice.length + stock.items.length + 1 > most;
    const said = isTooMuch ? { refusal: { code: "too_many_positions", sentence: "too many" } } : { chance: "1/2" };
    return Promise.resolve(new Response(JSON.stringify(said), { status: isTooMuch ? 400 : 200 }));
  });
  const stock = { dice: [{ kind: "glass", level: 1 }], items: ["insurance"], upgrades: [], free_choices: 0 };
  const table = tableOf(viewOf({ stage: "shop", money: 100 + most, stock }));
  let values!: OfferValues;
  const stop = $effect.root(() => {
    values = new OfferValues(() => table);
  });
  for (let turn = 0; turn < 4; turn += 1) {
    flushSync();
    await vi.advanceTimersByTimeAsync(100);
  }

  expect(values.part).toBe(part);
  expect(values.query.isFresh).toBe(most > 0);
  stop();
});
