/** The state of a duel at one table, which its board and its odds share: the draft of a split, and who may do what. */
import { untrack } from "svelte";
import { serverNow } from "../../api/clock";
import { announcer } from "../../design/announce.svelte";
import { cardName } from "../../design/cards";
import { play } from "../../design/sound";
import { memoizePerTable } from "../../match/per_table";
import type { Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { glideCards } from "./card_animation";
import { nearCorner, openSides, otherCorner, viewOf, type Corner, type SideView, type View } from "./corners";
import type { Exchange } from "./exchange";
import { ExchangeDisplay } from "./exchange.svelte";
import { DuelQueries } from "./queries.svelte";
import { duelQuestions, type RankedSplit, type Objective } from "./questions";
import {
  actionOf,
  allOn,
  defenseAction,
  moveCard,
  samePlaces,
  sideOf,
  splitOf,
  toggleCard,
  type Draft,
  type Power,
  type Side,
  type Sides,
} from "./splits";
import { words } from "./text";
import { TurnSender } from "./turn.svelte";

/** How long before a clock runs out the draft is sent, so that the clock fights with it. */
const SEND_BEFORE_MS = 2_500;

export class Duel {
  draft = $state.raw<Draft>([]);
  asksToFlee = $state(false);
  isDragging = $state(false);
  dragOver = $state<string | null>(null);
  objective = $state<Objective | null>("win");
  /** The element that holds the cards; set by the board. */
  arena: HTMLElement | null = null;

  readonly queries = new DuelQueries();
  readonly #display: ExchangeDisplay;
  readonly #sender: TurnSender;

  constructor(readonly table: Table<"duel">) {
    this.#display = new ExchangeDisplay(table);
    this.#sender = new TurnSender(table);
  }

  /** The exchange that is shown; null while the table is. */
  get exchange(): Exchange | null {
    return this.#display.exchange;
  }
  get hp(): readonly [number, number] {
    return this.#display.hp;
  }
  get isFighting(): boolean {
    return this.#sender.isSending;
  }

  get view(): View | null {
    return viewOf(this.table);
  }
  get near(): Corner {
    return nearCorner(this.table.viewer);
  }
  get far(): Corner {
    return otherCorner(this.near);
  }
  get nearSide(): SideView | null {
    return this.view?.sides[this.near] ?? null;
  }
  get hand(): readonly string[] | null {
    const hand = this.nearSide?.hand;
    return hand?.length ? hand : null;
  }
  /** Whether the viewer splits a hand now. */
  get isMine(): boolean {
    const { viewer, deciding } = this.table.frame;
    return viewer !== null && deciding.includes(viewer) && this.hand !== null && !this.table.isReplay && this.view?.result === null;
  }
  /** Whether cards may be moved now: a draft needs no connection. */
  get canSplit(): boolean {
    return this.isMine && this.exchange === null && !this.isFighting && this.hasSelections;
  }
  get canFight(): boolean {
    return (
      this.isMine &&
      this.exchange === null &&
      !this.isFighting &&
      this.table.canAct &&
      actionOf(this.table.actions, "execute_turn") !== null
    );
  }
  get canFlee(): boolean {
    return this.isMine && !this.isFighting && this.table.canAct && actionOf(this.table.actions, "flee") !== null;
  }
  get hasSelections(): boolean {
    return this.table.actions.some((action) => action.type === "select_defense");
  }
  /** The places that defend, as far as they are known: those of the draft, or of the server. */
  get defends(): Draft {
    return this.isMine ? this.draft : (this.nearSide?.defense ?? []);
  }

  /** Return the name of a corner; null for the viewer. */
  name(corner: number): string | null {
    if (corner === this.table.viewer && !this.table.isReplay) return null;
    if (corner === 1 && this.view?.house) return words.house;
    return this.table.name(corner);
  }
  /** Return the hit points with which a fighter began; null until they are known. */
  full(corner: Corner): number | null {
    return this.queries.fighters[corner].fresh?.hp ?? null;
  }

  /** What both sides of the near fighter come to, as the cards lie. */
  get own(): Sides | null {
    if (!this.hand) return null;
    return this.rankedSplit ?? splitOf(this.queries.ownHand.fresh?.splits ?? [], this.hand, this.defends);
  }
  /** The present split with the damage that it deals and takes; known against the house alone. */
  get rankedSplit(): RankedSplit | null {
    const reply = this.queries.numbers.fresh;
    return reply && this.hand ? splitOf(reply.splits, this.hand, this.defends) : null;
  }
  /** What both sides of the far fighter come to, where they lie open. */
  get other(): Sides | null {
    const { log } = this.table;
    const view = this.view;
    return view && openSides(view.sides[this.far], view.result !== null, log, this.queries.otherHand.fresh?.splits ?? []);
  }
  power(corner: Corner, side: Side): Power | null {
    if (this.exchange) return this.exchange.blows[corner][side];
    return (corner === this.near ? this.own : this.other)?.[side] ?? null;
  }

  toggle(place: number): void {
    if (this.hand?.[place] !== undefined) this.#split(toggleCard(this.draft, place), place);
  }
  move(place: number, side: Side): void {
    if (sideOf(this.draft, place) !== side) this.#split(moveCard(this.draft, place, side), place);
  }
  all(side: Side): void {
    if (!this.canSplit) return;
    this.take(allOn(side, this.hand?.length ?? 0));
    announcer.say(words.allOn(words.sides[side]));
  }
  /** Replace the draft by another split. */
  take(draft: Draft): void {
    if (this.canSplit) void glideCards(this.arena, () => (this.draft = draft));
  }

  #split(draft: Draft, place: number): void {
    const card = this.hand?.[place];
    if (!this.canSplit || card === undefined) return;
    void glideCards(this.arena, () => (this.draft = draft));
    play("card");
    announcer.say(words.moved(cardName(card), words.sides[sideOf(draft, place)]));
  }

  /** Fight with the draft; it is selected first where the server has another split. */
  async fight(): Promise<void> {
    if (!this.canFight) return;
    const draft = this.draft;
    const isSelected = (): boolean => samePlaces(this.nearSide?.defense ?? [], draft) || !this.hasSelections;
    await this.#sender.send(
      (actions) => (isSelected() ? actionOf(actions, "execute_turn") : defenseAction(actions, draft)),
      () => this.isMine,
    );
  }

  async flee(): Promise<void> {
    if (this.canFlee) await this.#sender.send((actions) => actionOf(actions, "flee"), () => this.isMine);
  }

  /** Leave the exchange that is shown. */
  goOn(): void {
    this.#display.dismiss();
  }

  /** Follow the table until the component is destroyed; the board calls it once. */
  follow(): void {
    $effect(() => {
      void this.table.version;
      this.#sender.checkVersion();
    });
    $effect(() => {
      const { newEvents } = this.table;
      const view = this.view;
      if (view) untrack(() => this.#display.update(newEvents));
    });
    const serverSplit = $derived(JSON.stringify([this.view?.round, this.nearSide?.hand, this.nearSide?.defense]));
    $effect(() => {
      void serverSplit;
      this.draft = untrack(() => this.nearSide?.defense ?? []);
    });
    $effect(() => this.#ask());
    $effect(() => this.#sendInTime());
    $effect(() => () => this.#display.clear());
  }

  #ask(): void {
    const { rules, log, viewer } = this.table;
    const view = this.view;
    const objective = settings.coach && viewer !== null ? this.objective : null;
    const solved = this.queries.solved.fresh?.objectives ?? [];
    this.queries.ask(duelQuestions({ rules, view, log, near: this.near, enemy: this.other, objective, solved }));
  }

  /** Send the draft before a clock fights for the viewer. */
  #sendInTime(): (() => void) | undefined {
    const { frame } = this.table;
    const due = frame.viewer === null ? null : frame.chairs[frame.viewer]?.due_at;
    if (!due || !this.isMine) return undefined;
    const timer = setTimeout(() => void this.#sendDraft(), Math.max(0, due - serverNow() - SEND_BEFORE_MS));
    return () => clearTimeout(timer);
  }

  async #sendDraft(): Promise<void> {
    if (!this.isMine || this.isFighting || samePlaces(this.nearSide?.defense ?? [], this.draft)) return;
    const action = defenseAction(this.table.actions, this.draft);
    if (action) await this.table.act(action);
  }
}

/** Return the duel of a table. */
export const duelOf = memoizePerTable((table: Table<"duel">) => new Duel(table));
