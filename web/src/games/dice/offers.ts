/** The offers of a shop, with price, legal purchases, and gain. */
import { approximate, decimal, exact } from "../../design/numbers";
import type { BuildReply, Offer, PoolDie, ShopReply, View } from "./questions";
import { dieText } from "./questions";
import { legal, type Action } from "./action_queue.svelte";

export type OnOffer<T> = {
  thing: T;
  price: number | null;
  /** The missing money. */ missing: number;
  actions: Action[];
  worth: Offer | null;
};

function offer<T>(thing: T, price: number | null, money: number, actions: Action[], worth: Offer | null): OnOffer<T> {
  return { thing, price, missing: price === null ? 0 : Math.max(0, price - money), actions, worth };
}

export function diceOnOffer(view: View, actions: Action[], quote: BuildReply | null, worths: ShopReply | null): OnOffer<PoolDie>[] {
  return view.stock.dice.map((die, index) => {
    const text = dieText(die);
    const buys = actions.filter((action) => action.type === "buy_die" && dieText(action.die) === text);
    return offer<PoolDie>(
      die,
      quote?.prices?.dice[index] ?? null,
      view.money,
      buys,
      best(worths, (one) => one.type === "buy_die" && dieText(one.die) === text),
    );
  });
}

export function itemsOnOffer(view: View, actions: Action[], quote: BuildReply | null, worths: ShopReply | null): OnOffer<string>[] {
  return view.stock.items.map((item, index) => {
    const buy = legal(actions, "buy_item", (action) => action.item === item);
    return offer(
      item,
      quote?.prices?.items[index] ?? null,
      view.money,
      buy ? [buy] : [],
      best(worths, (one) => one.type === "buy_item" && one.item === item),
    );
  });
}

export function upgradesOnOffer(view: View, actions: Action[], quote: BuildReply | null, worths: ShopReply | null): OnOffer<string>[] {
  return view.stock.upgrades.map((hand, index) => {
    const buy = legal(actions, "buy_upgrade", (action) => action.hand === hand);
    return offer(
      hand,
      quote?.prices?.upgrades[index] ?? null,
      view.money,
      buy ? [buy] : [],
      best(worths, (one) => one.type === "buy_upgrade" && one.hand === hand),
    );
  });
}

/** Return the extra die; null where the pool is full. */
export function extraOnOffer(view: View, actions: Action[], quote: BuildReply | null, worths: ShopReply | null): OnOffer<null> | null {
  const price = quote?.prices?.extra_die ?? null;
  const buy = legal(actions, "buy_extra_die");
  if (quote?.prices && price === null) return null;
  return offer(null, price, view.money, buy ? [buy] : [], best(worths, (one) => one.type === "buy_extra_die"));
}

function best(worths: ShopReply | null, fits: (purchase: Offer["purchase"]) => boolean): Offer | null {
  return worths?.offers.find((one) => fits(one.purchase)) ?? null;
}

/** Return the offer of a die for a place, or for an equal die's place. */
export function worthAt(worths: ShopReply | null, view: View, die: PoolDie, place: number): Offer | null {
  const old = view.build.dice[place];
  return best(
    worths,
    (one) =>
      one.type === "buy_die" && dieText(one.die) === dieText(die) && !!old && dieText(view.build.dice[one.place] ?? old) === dieText(old),
  );
}

/** Format a gain in percentage points: "+2.31". */
export function gainText(gain: string): string {
  const { over, under } = exact(gain);
  const text = decimal({ over: over * 100n, under }, 2);
  return text.startsWith("−") ? text : `+${text}`;
}

/** Return the greatest gain, for the length of bars. */
export function greatestGain(worths: ShopReply): number {
  return Math.max(0, ...worths.offers.map((one) => approximate(one.gain)));
}
