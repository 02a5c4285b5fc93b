/** The state of a team duel at one table, which its board and its odds share: the draft of a split and of a target. */
import { announcer } from "../../design/announce.svelte";
import { cardName } from "../../design/cards";
import { play } from "../../design/sound";
import { serverNow } from "../../api/clock";
import { memoizePerTable } from "../../match/per_table";
import type { Table } from "../../match/table.svelte";
import { allOn, moveCard, sideOf, toggleCard, type Draft, type Side } from "./splits";
import { fighterTitle, livingOpponents, nextAction, sideSeats, teamQuestion, type TeamBlow, type TeamFighter, type TeamRoundReply, type TeamView } from "./teams";
import { words } from "./text";
import { TurnSender } from "./turn.svelte";

/** How long before a clock runs out the draft is sent, so that the clock fights with it. */
const SEND_BEFORE_MS = 2_500;

export class TeamDuel {
  draft = $state.raw<Draft>([]);
  /** The target that the viewer picked in this round; null before. */
  picked = $state<number | null>(null);
  /** The odds of the round, which the board asks for. */
  odds = $state.raw<TeamRoundReply | null>(null);

  readonly #sender: TurnSender;

  constructor(readonly table: Table<"duel">) {
    this.#sender = new TurnSender(table);
  }

  get view(): TeamView | null {
    const { view } = this.table;
    return view?.type === "team" ? view : null;
  }
  get size(): number {
    return this.table.rules.teams.size;
  }
  /** The seats of the near side, the viewer's or the first, and of the far side. */
  get sides(): [number[], number[]] {
    const near = sideSeats(this.table.viewer ?? 0, this.size);
    return [near, sideSeats(near[0] === 0 ? this.size : 0, this.size)];
  }
  get own(): TeamFighter | null {
    const { viewer } = this.table;
    return viewer === null ? null : (this.view?.fighters[viewer] ?? null);
  }
  get hand(): readonly string[] {
    return this.own?.hand ?? [];
  }
  get isFighting(): boolean {
    return this.#sender.isSending;
  }
  /** Whether the viewer splits a hand now. */
  get isMine(): boolean {
    const { viewer, deciding } = this.table.frame;
    return viewer !== null && deciding.includes(viewer) && this.hand.length > 0 && !this.table.isReplay && this.view?.result === null;
  }
  get canChange(): boolean {
    return this.isMine && !this.isFighting && this.table.actions.some((action) => action.type === "select_defense");
  }
  get canFight(): boolean {
    return this.isMine && !this.isFighting && this.table.canAct;
  }
  /** The places that defend: those of the draft, or of the server. */
  get defends(): Draft {
    return this.isMine ? this.draft : (this.own?.defense ?? []);
  }
  /** The blows of the last round in the log, by seat. */
  get blows(): ReadonlyMap<number, TeamBlow> {
    const last = this.table.log.findLast(({ event }) => event.event === "team_exchanged")?.event;
    return new Map(last?.event === "team_exchanged" ? last.blows.map((blow) => [blow.seat, blow]) : []);
  }

  /** Return the living opponents of a seat, in the order in which they become its target. */
  opponents(seat: number): number[] {
    return livingOpponents(seat, this.view?.fighters.map(({ hp }) => hp) ?? [], this.size);
  }
  /** Return the seat that a fighter attacks as far as the viewer knows: the draft's, the chosen one, or the first opponent. */
  targetOf(seat: number): number | null {
    const fighter = this.view?.fighters[seat];
    if (!fighter?.hp || !fighter.hand?.length) return null;
    if (seat === this.table.viewer && this.isMine && this.picked !== null) return this.picked;
    return fighter.target ?? this.opponents(seat)[0] ?? null;
  }

  toggle(place: number): void {
    if (this.hand[place] !== undefined) this.#split(toggleCard(this.draft, place), place);
  }
  move(place: number, side: Side): void {
    if (sideOf(this.draft, place) !== side) this.#split(moveCard(this.draft, place, side), place);
  }
  all(side: Side): void {
    if (!this.canChange) return;
    this.draft = allOn(side, this.hand.length);
    announcer.say(words.allOn(words.sides[side]));
  }
  /** Attack this seat. */
  aim(seat: number): void {
    if (!this.canChange || this.table.viewer === null || !this.opponents(this.table.viewer).includes(seat)) return;
    this.picked = seat;
    announcer.say(words.team.nowAttacks(fighterTitle(seat, this.table)));
  }
  /** Attack the next living opponent. */
  aimNext(): void {
    const { viewer } = this.table;
    if (viewer === null) return;
    const others = this.opponents(viewer).sort((a, b) => a - b);
    const next = others[(others.indexOf(this.targetOf(viewer) ?? -1) + 1) % others.length];
    if (next !== undefined) this.aim(next);
  }

  #split(draft: Draft, place: number): void {
    const card = this.hand[place];
    if (!this.canChange || card === undefined) return;
    this.draft = draft;
    play("card");
    announcer.say(words.moved(cardName(card), words.sides[sideOf(draft, place)]));
  }

  /** Fight with the draft; its split and its target are selected first where the server has others. */
  async fight(): Promise<void> {
    if (!this.canFight) return;
    const { draft } = this;
    const target = this.targetOf(this.table.viewer ?? 0);
    await this.#sender.send(
      (actions) => (this.own ? nextAction(actions, this.own, draft, target, this.#chosen) : null),
      () => this.isMine,
    );
  }

  /** The target that the server has for the viewer. */
  get #chosen(): number | null {
    const { viewer } = this.table;
    return this.own?.target ?? (viewer === null ? null : (this.opponents(viewer)[0] ?? null));
  }

  /** The question about this round: with the viewer's split where it splits one. */
  get question(): object | null {
    const { view } = this;
    if (!view || view.result !== null) return null;
    const { viewer, rules } = this.table;
    const known = viewer !== null && this.hand.length ? { seat: viewer, hand: this.hand, draft: this.defends, target: this.targetOf(viewer) } : null;
    return teamQuestion(rules, view, known);
  }

  /** Follow the table until the component is destroyed; the board calls it once. */
  follow(): void {
    $effect(() => {
      void this.table.version;
      this.#sender.checkVersion();
    });
    const served = $derived(JSON.stringify([this.view?.round, this.own?.hand, this.own?.defense, this.own?.target]));
    $effect(() => {
      const [, , defense, target] = JSON.parse(served) as [number, unknown, Draft | null, number | null];
      this.draft = defense ?? [];
      this.picked = target ?? null;
    });
    $effect(() => this.#sendInTime());
  }

  /** Send the draft before a clock fights for the viewer. */
  #sendInTime(): (() => void) | undefined {
    const { frame } = this.table;
    const due = frame.viewer === null ? null : frame.chairs[frame.viewer]?.due_at;
    if (!due || !this.isMine) return undefined;
    const timer = setTimeout(() => void this.#sendDraft(), Math.max(0, due - serverNow() - SEND_BEFORE_MS));
    return () => clearTimeout(timer);
  }

  /** Select the split and the target of the draft, without the fight. */
  async #sendDraft(): Promise<void> {
    if (!this.isMine || this.isFighting) return;
    const { draft } = this;
    const target = this.targetOf(this.table.viewer ?? 0);
    await this.#sender.send(
      (actions) => {
        const next = this.own ? nextAction(actions, this.own, draft, target, this.#chosen) : null;
        return next?.type === "execute_turn" ? null : next;
      },
      () => this.isMine,
    );
  }
}

/** Return the team duel of a table. */
export const teamOf = memoizePerTable((table: Table<"duel">) => new TeamDuel(table));
