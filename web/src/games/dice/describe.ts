/** Events of a run in words. */
import type { Events } from "../../api/types";
import type { HeardEvent } from "../../match/table.svelte";
import { words } from "./text";
import { diceAt, dieName } from "./wording";

type Bought = Extract<Events["dice"], { event: "bought" }>;

const said = words.said;

export function describe({ event }: Pick<HeardEvent<"dice">, "event">): string | null {
  switch (event.event) {
    case "round_began":
      return event.boss
        ? said.roundBoss(event.round, event.target, event.rerolls, words.boss(event.boss))
        : said.round(event.round, event.target, event.rerolls);
    case "fixed":
      return said.fixed(event.die.place + 1, event.die.face);
    case "rolled":
      return said.rolled(event.places.length, event.faces, event.rerolls);
    case "locked":
      return said.locked(event.place + 1);
    case "unlocked":
      return said.unlocked(event.place + 1);
    case "wild_set":
      return said.wildSet(event.place + 1, event.face);
    case "scored":
      return said.scored(words.hand(event.score.hand), event.score.total, event.target);
    case "paid":
      return said.paid(event.payment.total, event.money);
    case "shattered":
      return [
        ...(event.places.length ? [said.shattered(diceAt(event.places))] : []),
        ...(event.saved.length ? [said.saved(diceAt(event.saved))] : []),
      ].join(" ");
    case "collected":
      return said.collected(event.place + 1);
    case "stocked":
      return said.stocked;
    case "bought":
      return bought(event);
    case "ended":
      return said.ended(event.won);
  }
}

function bought({ purchase, price }: Bought): string {
  const paid = words.shop.price(price);
  switch (purchase.type) {
    case "buy_die":
      return said.boughtDie(dieName(purchase.die), purchase.place + 1, paid);
    case "buy_item":
      return said.boughtItem(words.item(purchase.item), paid);
    case "buy_upgrade":
      return said.boughtUpgrade(words.hand(purchase.hand), paid);
    case "buy_extra_die":
      return said.boughtExtra(paid);
  }
}
