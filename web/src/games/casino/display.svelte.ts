/** The view that the board displays: new frames are shown move by move, with animations. */
import { flushSync, tick, untrack } from "svelte";
import { play } from "../../design/sound";
import { memoizePerTable } from "../../match/per_table";
import type { LogEvent, Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { fly, placesOf, type Ends } from "./card_animation";
import { arrangeLoose, cardsOf, isCapture, displaySteps, type Event, type MovedEvent, type Step } from "./display_steps";
import type { Move, View } from "./draggables";

/** A move that is being shown: its seat, the played cards, and the highlighted cards. */
export type ShownMove = { seat: number; played: string[]; lit: string[] };

const MOST_STEPS = 8;
const MOST_RECENT = 4;
const MOST_LOGGED = 20;
const CAPTURE_MS = 800;
const STEP_MS = 420;
const HIGHLIGHT_MS = 900;
const SWEEP_MS = 1_600;

export class Display {
  view = $state.raw<View | null>(null);
  /** The loose cards, in stable order. */
  loose = $state.raw<string[]>([]);
  shownMove = $state.raw<ShownMove | null>(null);
  /** The moves since the viewer's own, the newest last. */
  recent = $state.raw<MovedEvent[]>([]);
  /** The seat that has just swept; null after the animation. */
  sweeper = $state.raw<number | null>(null);
  /** The move under the pointer or focus; its cards are highlighted. */
  hoveredMove = $state.raw<Move | null>(null);
  isBusy = $state(false);
  root: HTMLElement | undefined = $state.raw();

  #queue: Step[] = [];
  /** The newest view, which the queue ends with. */
  #latest: View | null = null;
  #sweepTimer: ReturnType<typeof setTimeout> | undefined;
  #jumps = 0;
  #isStopped = false;

  constructor(private readonly table: Table<"casino">) {
    this.#latest = table.view;
    this.#set(table.view);
    for (const entry of table.log.slice(-MOST_LOGGED)) this.#addRecent(entry.event);
  }

  /** Follow the table until the component is destroyed. */
  follow(): void {
    $effect(() => {
      const { view, newEvents } = this.table;
      untrack(() => this.#onFrame(view, newEvents));
    });
    $effect(() => {
      this.#isStopped = false;
      return () => {
        this.#isStopped = true;
        clearTimeout(this.#sweepTimer);
      };
    });
  }

  #onFrame(view: View | null, newEvents: LogEvent<"casino">[]): void {
    const before = this.#latest;
    if (view === before) return;
    this.#latest = view;
    const events = newEvents.map((entry) => entry.event);
    if (!view || !before || !events.length || settings.reducesMotion || document.hidden) return this.#jump(view, events);
    const steps = displaySteps(before, events, view);
    if (!steps.length || steps.length + this.#queue.length > MOST_STEPS) return this.#jump(view, events);
    this.#queue.push(...steps);
    if (!this.isBusy) {
      this.isBusy = true;
      void Promise.resolve().then(() => this.#run());
    }
  }

  /** Show a view at once, and drop queued steps. */
  #jump(view: View | null, events: Event[]): void {
    const missed = this.#queue.flatMap((step) => step.events);
    this.#queue = [];
    this.#jumps += 1;
    const root = this.root;
    const hadFocus = root?.contains(document.activeElement);
    this.shownMove = null;
    this.#set(view);
    if (hadFocus) void tick().then(() => root?.contains(document.activeElement) || this.focusHand());
    for (const event of [...missed, ...events]) this.#record(event);
  }

  #set(view: View | null): void {
    this.view = view;
    this.loose = arrangeLoose(this.loose, view?.loose ?? []);
  }

  async #run(): Promise<void> {
    while (this.#queue.length && !this.#isStopped) await this.#play(this.#queue.shift()!);
    this.shownMove = null;
    this.isBusy = false;
  }

  async #play(step: Step): Promise<void> {
    const event = step.events[0]!;
    play("card");
    if (event.event === "moved" && event.seat !== this.view?.viewer) await this.#playOther(event, step.view);
    else this.#showStep(step.view, step.events);
    const swept = event.event === "moved" && event.sweep;
    if (this.#queue.length) await this.#pause(swept ? SWEEP_MS : STEP_MS);
  }

  async #playOther(event: MovedEvent, view: View): Promise<void> {
    const { seat, move } = event;
    const lit = cardsOf(move, this.view?.builds ?? []);
    const from = this.#place(`[data-hand="${seat}"]`);
    if (isCapture(move)) {
      this.#flip({ from, to: null }, () => (this.shownMove = { seat, played: move.hand, lit }));
      const jumps = this.#jumps;
      await this.#pause(CAPTURE_MS);
      if (jumps === this.#jumps) this.#showStep(view, [event]);
      return;
    }
    this.#showStep(view, [event]);
    this.shownMove = { seat, played: [], lit: [...lit, ...move.hand] };
    await this.#pause(HIGHLIGHT_MS);
  }

  #showStep(view: View, events: Event[]): void {
    this.#flip(this.#endsOf(events[0]), () => {
      this.shownMove = null;
      this.#set(view);
      for (const event of events) this.#record(event);
    });
  }

  #endsOf(event: Event | undefined): Ends {
    const stock = this.#place("[data-stock]");
    if (!event || event.event === "dealt" || event.event === "laid" || event.event === "ended") return { from: stock, to: null };
    return { from: this.#place(`[data-hand="${event.seat}"]`), to: this.#place(`[data-pile="${event.seat}"]`) };
  }

  #place(selector: string): Element | null {
    return this.root?.querySelector(selector) ?? null;
  }

  /** Apply a change, and animate the cards; the focus stays on the board. */
  #flip(ends: Ends, change: () => void): void {
    const root = this.root;
    if (!root) return change();
    const before = settings.reducesMotion ? null : placesOf(root);
    const hadFocus = root.contains(document.activeElement);
    flushSync(change);
    if (before) fly(root, before, ends);
    if (hadFocus && !root.contains(document.activeElement)) this.focusHand();
  }

  focusHand(): void {
    (this.root?.querySelector<HTMLElement>("[data-own] button") ?? this.root)?.focus({ preventScroll: true });
  }

  /** Focus the first target of the picked thing; moves come before staging. */
  focusTarget(): void {
    const target = this.root?.querySelector<HTMLElement>('[data-target="move"]') ?? this.root?.querySelector<HTMLElement>("[data-target]");
    target?.focus();
  }

  /** Apply a change of the draft, and animate the cards. */
  flip(change: () => void): void {
    this.#flip({ from: null, to: null }, change);
  }

  #addRecent(event: Event): void {
    if (event.event !== "moved") return;
    const own = event.seat === this.table.viewer;
    this.recent = own ? [event] : [...this.recent, event].slice(-MOST_RECENT);
  }

  #record(event: Event): void {
    this.#addRecent(event);
    if (event.event === "moved" && event.sweep) this.#celebrate(event.seat);
  }

  #celebrate(seat: number): void {
    this.sweeper = seat;
    if (seat === this.table.viewer) play("win");
    clearTimeout(this.#sweepTimer);
    this.#sweepTimer = setTimeout(() => (this.sweeper = null), SWEEP_MS);
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, document.hidden || this.#isStopped ? 0 : milliseconds));
  }
}

/** Return the display of a table, which board and odds share. */
export const displayOf = memoizePerTable((table: Table<"casino">) => new Display(table));
