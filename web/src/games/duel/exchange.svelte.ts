/** Shows an exchange: the cards first, then the blows with the hit points that they leave. */
import { play } from "../../design/sound";
import type { LogEvent, Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { hitPoints, nearCorner, viewOf } from "./corners";
import { finalExchange, lastExchange, type Exchange } from "./exchange";

const STRIKE_DELAY_MS = 650;
const SPECTATOR_DELAY_MS = 3_400;

export class ExchangeDisplay {
  exchange = $state.raw<Exchange | null>(null);
  /** The hit points as the bars show them: they fall when blows do. */
  hp = $state.raw<readonly [number, number]>([0, 0]);

  #timers: ReturnType<typeof setTimeout>[] = [];
  #exchangeKey: string | null = null;

  constructor(private readonly table: Table<"duel">) {
    const view = viewOf(table);
    if (view) this.hp = hitPoints(view);
  }

  /** Show the exchange among new events; without one, show the table, or the exchange that ended the duel. */
  update(newEvents: readonly LogEvent<"duel">[]): void {
    const next = lastExchange(newEvents);
    if (next) {
      if (next.key !== this.#exchangeKey) this.#start(next);
    } else if (this.table.isReplay || this.exchange === null) {
      this.dismiss();
      this.exchange = finalExchange(viewOf(this.table), this.table.log) ?? this.exchange;
    }
  }

  /** Leave the exchange, and show the table as it is now; the last exchange of a duel stays. */
  dismiss(): void {
    const { isReplay } = this.table;
    const view = viewOf(this.table);
    this.clear();
    if (this.exchange && view?.result && !isReplay) this.exchange = { ...this.exchange, struck: true };
    else {
      this.exchange = null;
      if (isReplay) this.#exchangeKey = null;
    }
    if (view) this.hp = hitPoints(view);
  }

  /** Stop all timers. */
  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #start(exchange: Exchange): void {
    this.clear();
    this.#exchangeKey = exchange.key;
    if (settings.reducesMotion) this.#strike(exchange);
    else {
      this.exchange = exchange;
      this.#timers.push(setTimeout(() => this.#strike(exchange), STRIKE_DELAY_MS));
    }
    // a player dismisses the exchange: a key that is pressed for that must never fight the next round
    if (this.table.viewer === null && !this.table.isReplay) this.#timers.push(setTimeout(() => this.dismiss(), SPECTATOR_DELAY_MS));
  }

  #strike(exchange: Exchange): void {
    this.exchange = { ...exchange, struck: true };
    this.hp = [exchange.blows[0].hp, exchange.blows[1].hp];
    const winner = this.table.view?.result?.winner;
    if (winner === undefined || winner === null) play("roll");
    else play(winner === nearCorner(this.table.viewer) ? "win" : "lose");
  }
}
