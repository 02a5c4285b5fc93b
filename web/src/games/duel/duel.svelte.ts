/** The duel at one table: the draft of a split, the numbers that the server has for it, and the blows while they fall. */
import { untrack } from "svelte";
import { Query } from "../../api/query.svelte";
import { serverNow } from "../../api/clock";
import type { Schema } from "../../api/types";
import { announcer } from "../../design/announce.svelte";
import { cardName } from "../../design/cards";
import { play } from "../../design/sound";
import { memoizePerTable } from "../../match/per_table";
import type { LogEvent, Table } from "../../match/table.svelte";
import { settings } from "../../settings.svelte";
import { words } from "./text";
import { fighterQuestion, solvedQuestion, splitQuestion, FIGHTER, SOLVED, SPLIT, type FighterName, type FighterReply, type SolvedReply, type SplitReply, type Wanted } from "./questions";
import { glideCards } from "./card_animation";
import { actionOf, allOn, defenseAction, moveCard, samePlaces, sideOf, splitOf, toggleCard, type Draft, type Power, type Side, type Sides } from "./splits";

type Corner = 0 | 1;
type Exchanged = Schema<"duel.Exchanged">;
type SideView = Schema<"duel.SideView">;
/** An exchange that is shown; `struck` when the blows have fallen. */
export type Clash = { key: string; round: number; blows: Exchanged["blows"]; struck: boolean };

const TO_STRIKE = 650;
const TO_GO_ON = 3_400;
const MOST_TRIES = 6;
const LONGEST_WAIT = 5_000;
/** How long before a clock runs out the draft is sent, so that the clock fights with it. */
const BEFORE_TIME = 2_500;

export class Bout {
  draft = $state.raw<Draft>([]);
  clash = $state.raw<Clash | null>(null);
  /** The hit points as the bars show them: they fall when blows do. */
  hp = $state.raw<readonly [number, number]>([0, 0]);
  isFighting = $state(false);
  asksToFlee = $state(false);
  isDragging = $state(false);
  dragOver = $state<string | null>(null);
  wanted = $state<Wanted | null>("win");
  /** Where the cards lie; the board says so. */
  arena: HTMLElement | null = null;

  readonly numbers = new Query<SplitReply>(SPLIT);
  readonly advice = new Query<SplitReply>(SPLIT);
  /** For what perfect play is solved with the rules of this table: nothing else is asked. */
  readonly solved = new Query<SolvedReply>(SOLVED);
  readonly ownHand = new Query<FighterReply>(FIGHTER);
  readonly otherHand = new Query<FighterReply>(FIGHTER);
  readonly fighters = [new Query<FighterReply>(FIGHTER), new Query<FighterReply>(FIGHTER)] as const;

  #timers: ReturnType<typeof setTimeout>[] = [];
  #shownKey: string | null = null;
  #waiting: (() => void) | null = null;

  constructor(readonly table: Table<"duel">) {
    this.hp = this.#viewHp ?? [0, 0];
  }

  get #viewHp(): readonly [number, number] | null {
    const sides = this.table.view?.sides;
    return sides ? [sides[0].hp, sides[1].hp] : null;
  }

  /** The corner on the near side of the table: the viewer's, or the first. */
  get near(): Corner {
    return this.table.viewer === 1 ? 1 : 0;
  }
  get far(): Corner {
    return this.near === 0 ? 1 : 0;
  }
  get nearSide(): SideView | null {
    return this.table.view?.sides[this.near] ?? null;
  }
  get farSide(): SideView | null {
    return this.table.view?.sides[this.far] ?? null;
  }
  get hand(): readonly string[] | null {
    const hand = this.nearSide?.hand;
    return hand?.length ? hand : null;
  }
  /** Whether the viewer splits a hand now. */
  get isMine(): boolean {
    const { viewer, deciding } = this.table.frame;
    return viewer !== null && deciding.includes(viewer) && this.hand !== null && !this.table.isReplay && this.table.view?.result === null;
  }
  /** Whether cards may be moved now: a draft needs no connection. */
  get canSplit(): boolean {
    return this.isMine && this.clash === null && !this.isFighting && this.hasSelections;
  }
  get canFight(): boolean {
    return this.isMine && this.clash === null && !this.isFighting && this.table.canAct && actionOf(this.table.actions, "execute_turn") !== null;
  }
  get canFlee(): boolean {
    return this.isMine && !this.isFighting && this.table.canAct && actionOf(this.table.actions, "flee") !== null;
  }
  get hasSelections(): boolean {
    return this.table.actions.some((action) => action.type === "select_defense");
  }
  /** Which places defend, as far as it is known: the draft, or what the server has. */
  get defends(): Draft {
    return this.isMine ? this.draft : (this.nearSide?.defense ?? []);
  }

  /** How a corner is called: null is the viewer itself. */
  name(corner: number): string | null {
    if (corner === this.table.viewer && !this.table.isReplay) return null;
    if (corner === 1 && this.table.view?.house) return words.house;
    return this.table.name(corner);
  }
  fighterName(corner: number): FighterName {
    if (corner === 0) return "player";
    return this.table.view?.house ? "house" : "rival";
  }
  full(corner: Corner): number | null {
    return this.fighters[corner].fresh?.hp ?? null;
  }

  /** What both sides of the near fighter come to, as they lie. */
  get own(): Sides | null {
    const hand = this.hand;
    if (!hand) return null;
    return this.weighed ?? splitOf(this.ownHand.fresh?.splits ?? [], hand, this.defends);
  }
  /** The present split with what it deals and takes; only a duel with the house can say. */
  get weighed() {
    const reply = this.numbers.fresh;
    return reply && this.hand ? splitOf(reply.splits, this.hand, this.defends) : null;
  }
  /** What both sides of the far fighter come to, where they lie open. */
  get other(): Sides | null {
    const side = this.farSide;
    if (!side?.hand?.length || !side.defense || !(side.committed || this.table.view?.result)) return null;
    return this.#readied(side.hand, side.defense) ?? splitOf(this.otherHand.fresh?.splits ?? [], side.hand, side.defense);
  }

  /** The house's split as it was told, which saves asking for it. */
  #readied(hand: readonly string[], defense: Draft): Sides | null {
    const readied = this.table.log.findLast((entry) => entry.event.event === "readied")?.event;
    if (readied?.event !== "readied") return null;
    const { attack, defense: guard } = readied;
    return [...attack.cards, ...guard.cards].every((card) => hand.includes(card)) && guard.cards.length === defense.length ? { attack, defense: guard } : null;
  }

  power(corner: Corner, side: Side): Power | null {
    if (this.clash) return this.clash.blows[corner][side];
    return (corner === this.near ? this.own : this.other)?.[side] ?? null;
  }

  // --- splitting -------------------------------------------------------------------------------------------------------

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
  /** Take a whole split over. */
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

  // --- choosing --------------------------------------------------------------------------------------------------------

  /** Fight with the draft: what differs from what the server has is selected first. */
  async fight(): Promise<void> {
    if (!this.canFight) return;
    const draft = this.draft;
    await this.#make((actions) =>
      samePlaces(this.nearSide?.defense ?? [], draft) || !this.hasSelections ? actionOf(actions, "execute_turn") : defenseAction(actions, draft),
    );
  }

  async flee(): Promise<void> {
    if (this.canFlee) await this.#make((actions) => actionOf(actions, "flee"));
  }

  /** Make choices until the round is committed; what another seat overtook is made again while the round lasts. */
  async #make(next: (actions: Table<"duel">["actions"]) => Table<"duel">["actions"][number] | null): Promise<void> {
    const round = this.table.view?.round;
    this.isFighting = true;
    for (let tries = 0; tries < MOST_TRIES && this.isMine && this.table.view?.round === round; tries += 1) {
      const action = next(this.table.actions);
      if (!action) break;
      const version = this.table.version;
      const isDone = await this.table.act(action);
      if (!isDone && this.table.refusal?.code !== "stale") break;
      await this.#newerThan(version);
      if (isDone && action.type !== "select_defense") break;
    }
    this.isFighting = false;
  }

  async #newerThan(version: number): Promise<void> {
    if (this.table.version > version) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LONGEST_WAIT);
      this.#waiting = () => {
        if (this.table.version <= version) return;
        clearTimeout(timer);
        this.#waiting = null;
        resolve();
      };
    });
  }

  // --- following the table ---------------------------------------------------------------------------------------------

  /** Follow the table; called once by the board, while it is shown. */
  follow(): void {
    $effect(() => {
      void this.table.version;
      this.#waiting?.();
    });
    $effect(() => {
      const { newEvents, view } = this.table;
      if (view) untrack(() => this.#onEvents(newEvents));
    });
    const served = $derived(JSON.stringify([this.table.view?.round, this.nearSide?.hand, this.nearSide?.defense]));
    $effect(() => {
      void served;
      this.draft = untrack(() => this.nearSide?.defense ?? []);
    });
    $effect(() => this.#ask());
    $effect(() => this.#mindClock());
    $effect(() => () => this.#clear());
  }

  #onEvents(newEvents: LogEvent<"duel">[]): void {
    const entry = newEvents.findLast((one) => one.event.event === "exchanged");
    if (entry?.event.event === "exchanged") {
      if (entry.key !== this.#shownKey) this.#strike(entry.key, entry.event);
    } else if (this.table.isReplay || this.clash === null) {
      this.goOn();
      this.#recall();
    }
  }

  /** Lay the last exchange of a finished duel open again, for who looks later. */
  #recall(): void {
    const { view, log } = this.table;
    const last = log.findLast((one) => one.event.event === "exchanged");
    if (!view?.result || view.result.why === "flight" || last?.event.event !== "exchanged" || last.event.round !== view.round) return;
    this.clash = { key: last.key, round: last.event.round, blows: last.event.blows, struck: true };
  }

  #strike(key: string, { round, blows }: Exchanged): void {
    this.#clear();
    this.#shownKey = key;
    const land = (): void => {
      this.clash = { key, round, blows, struck: true };
      this.hp = [blows[0].hp, blows[1].hp];
      this.#sound();
    };
    if (settings.isStill) land();
    else {
      this.clash = { key, round, blows, struck: false };
      this.#timers.push(setTimeout(land, TO_STRIKE));
    }
    // who fights goes on when ready: a key that is pressed for that must never fight the next round
    if (this.table.viewer === null && !this.table.isReplay) this.#timers.push(setTimeout(() => this.goOn(), TO_GO_ON));
  }

  #sound(): void {
    const winner = this.table.view?.result?.winner;
    if (winner === undefined || winner === null) play("roll");
    else play(winner === this.near ? "win" : "lose");
  }

  /** Leave the exchange, and show the table as it is now; the last exchange of a duel stays. */
  goOn(): void {
    const stays = this.clash !== null && this.table.view?.result && !this.table.isReplay;
    this.#clear();
    if (this.clash && stays) this.clash = { ...this.clash, struck: true };
    else {
      this.clash = null;
      this.#shownKey = this.table.isReplay ? null : this.#shownKey;
    }
    this.hp = this.#viewHp ?? this.hp;
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }

  #ask(): void {
    const { view, rules } = this.table;
    const [near, far] = [this.nearSide, this.farSide];
    for (const corner of [0, 1] as const) this.fighters[corner].ask(view ? fighterQuestion(rules, this.fighterName(corner), null) : null);
    const hand = this.hand;
    this.ownHand.ask(view && hand && (!view.house || view.result) ? fighterQuestion(rules, this.fighterName(this.near), hand) : null);
    const isOpen = far?.hand?.length && far.defense && !this.#readied(far.hand, far.defense);
    this.otherHand.ask(isOpen && far.hand ? fighterQuestion(rules, this.fighterName(this.far), far.hand) : null);

    const enemy = this.other;
    const isWeighed = view?.house && hand && near && far && view.result === null && (enemy !== null || !rules.opponent_visible);
    const position = isWeighed
      ? { hand, hp: near.hp, enemy_hp: far.hp, round: view.round, enemy_attack: enemy?.attack.total ?? null, enemy_defense: enemy?.defense.total ?? null }
      : null;
    this.numbers.ask(position && splitQuestion(rules, { ...position, objective: null }));
    const wanted = settings.coach && this.table.viewer !== null ? this.wanted : null;
    this.solved.ask(position && wanted ? solvedQuestion(rules) : null);
    const isSolved = wanted && this.solved.fresh?.objectives.includes(wanted);
    this.advice.ask(position && isSolved ? splitQuestion(rules, { ...position, objective: wanted }) : null);
  }

  /** Send the draft before a clock fights for the viewer. */
  #mindClock(): (() => void) | undefined {
    const { frame } = this.table;
    const due = frame.viewer === null ? null : frame.chairs[frame.viewer]?.due_at;
    if (!due || !this.isMine) return undefined;
    const timer = setTimeout(() => void this.#sendDraft(), Math.max(0, due - serverNow() - BEFORE_TIME));
    return () => clearTimeout(timer);
  }

  async #sendDraft(): Promise<void> {
    if (!this.isMine || this.isFighting || samePlaces(this.nearSide?.defense ?? [], this.draft)) return;
    const action = defenseAction(this.table.actions, this.draft);
    if (action) await this.table.act(action);
  }
}

/** Return the bout of a table, which its board and its odds share. */
export const boutOf = memoizePerTable((table: Table<"duel">) => new Bout(table));
