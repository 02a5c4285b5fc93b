/** Events of a run in words. */
import type { Events } from "../../api/types";
import type { LogEvent } from "../../match/table.svelte";
import { words } from "./text";
import { diceAt, dieName } from "./wording";

type BoughtEvent = Extract<Events["dice"], { event: "bought" }>;

const labels = words.said;

export function describe({ event }: Pick<LogEvent<"dice">, "event">): string | null {
  switch (event.event) {
    case "round_began":
      return event.boss
        ? labels.roundBoss(event.round, event.target, event.rerolls, words.boss(event.boss))
        : labels.round(event.round, event.target, event.rerolls);
    case "fixed":
      return labels.fixed(event.die.place + 1, event.die.face);
    case "rolled":
      return labels.rolled(event.places.length, event.faces, event.rerolls);
    case "locked":
      return labels.locked(event.place + 1);
    case "unlocked":
      return labels.unlocked(event.place + 1);
    case "wild_set":
      return labels.wildSet(event.place + 1, event.face);
    case "scored":
      return labels.scored(words.hand(event.score.hand), event.score.total, event.target);
    case "paid":
      return labels.paid(event.payment.total, event.money);
    case "shattered":
      return [
        ...(event.places.length ? [labels.shattered(diceAt(event.places))] : []),
        ...(event.saved.length ? [labels.saved(diceAt(event.saved))] : []),
      ].join(" ");
    case "collected":
      return labels.collected(event.place + 1);
    case "stocked":
      return labels.stocked;
    case "bought":
      return describePurchase(event);
    case "ended":
      return labels.ended(event.won, event.final_score);
  }
}

function describePurchase({ purchase, price }: BoughtEvent): string {
  const paid = words.shop.price(price);
  switch (purchase.type) {
    case "buy_die":
      return labels.boughtDie(dieName(purchase.die), purchase.place + 1, paid);
    case "buy_item":
      return labels.boughtItem(words.item(purchase.item), paid);
    case "buy_upgrade":
      return labels.boughtUpgrade(words.hand(purchase.hand), paid);
    case "buy_extra_die":
      return labels.boughtExtra(paid);
  }
}
