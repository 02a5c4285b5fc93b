/** What the player is about to do: the thing that is picked, the stack, and what the server says that can become of them. */
import { tick, untrack } from "svelte";
import { mayPass, refusalOf } from "../../api/http";
import type { Refusal } from "../../api/types";
import { announcer } from "../../design/announce.svelte";
import type { Table } from "../../match/table.svelte";
import { words } from "./text";
import { askDialog, askDrops, askUnstage, type Drops } from "./questions";
import type { Display } from "./display.svelte";
import { draggables, keyOf, nameOf, onlyMeaning, OPEN, type Action, type Dragged, type Move, type PossibleDrop, type Staging, type Target, type Unavailable, type View } from "./draggables";

/** What the player is asked: a drop that can mean several things, or what to do with the stack. */
export type Choice = { title: string; message: string; actions: Action[]; unavailable: Unavailable[] };

const NO_DROPS: Drops = new Map();

export class Draft {
  stack = $state.raw<Staging | null>(null);
  /** What is dragged, or picked to be dropped by a second press. */
  picked = $state.raw<Dragged | null>(null);
  /** Above which target a dragged thing is. */
  over = $state.raw<string | null>(null);
  choice = $state.raw<Choice | null>(null);
  /** Why the last drop did nothing, until the next one. */
  said = $state.raw<string | null>(null);
  /** Why the server did not say what can be done. */
  refusal = $state.raw<Refusal | null>(null);
  canAskAgain = $state(false);
  isAsking = $state(false);

  #drops = $state.raw<Drops>(NO_DROPS);
  #coming: Promise<Drops> = Promise.resolve(NO_DROPS);
  #again = $state(0);

  constructor(
    private readonly table: Table<"casino">,
    private readonly display: Display,
  ) {}

  /** Whether the player may choose now: it is its turn, and all that happened is shown. */
  get canPlay(): boolean {
    return this.table.canAct && !this.display.isBusy && this.view?.viewer !== null;
  }

  get view(): View | null {
    return this.table.view;
  }

  /** Keep up with the table as long as the component lives. */
  follow(): void {
    $effect(() => {
      const { version, newEvents } = this.table;
      untrack(() => this.#keepStack(version, newEvents.some((entry) => entry.event.event === "moved")));
    });
    $effect(() => {
      void this.#again;
      if (!this.canPlay || !this.view) {
        untrack(() => this.#forget());
        return;
      }
      const asking = new AbortController();
      const [view, stack] = [this.view, this.stack];
      untrack(() => this.#ask(view, stack, asking.signal));
      return () => asking.abort();
    });
  }

  #forget(): void {
    this.picked = null;
    this.over = null;
    this.#drops = NO_DROPS;
    if (!this.table.sending) this.choice = null;
  }

  #ask(view: View, stack: Staging | null, signal: AbortSignal): void {
    this.isAsking = true;
    this.refusal = null;
    this.#coming = askDrops(this.table.rules, view, draggables(view, stack), stack, signal).then(
      (drops) => {
        if (signal.aborted) return drops;
        this.isAsking = false;
        this.#drops = drops;
        return drops;
      },
      (error: unknown) => {
        if (signal.aborted) return NO_DROPS;
        this.isAsking = false;
        this.#drops = NO_DROPS;
        this.refusal = aboutAll(refusalOf(error));
        this.canAskAgain = mayPass(error);
        return NO_DROPS;
      },
    );
  }

  askAgain(): void {
    this.#again += 1;
  }

  /** A stack ends with the turn; what else happens, it must still fit. */
  #keepStack(version: number, hasMoved: boolean): void {
    const stack = this.stack;
    if (!stack) return;
    const view = this.view;
    if (hasMoved || !view || view.turn !== view.viewer || this.table.isOver) {
      this.stack = null;
      return;
    }
    askDialog(this.table.rules, view, stack).catch((error: unknown) => {
      if (this.stack !== stack || this.table.version !== version) return;
      this.stack = null;
      this.#say(words.draft.gone(refusalOf(error).sentence));
    });
  }

  /** Return what a drop of the picked thing on a target can mean; undefined where it is no target. */
  dropOn(target: string): PossibleDrop | undefined {
    return this.picked ? this.#drops.get(keyOf(this.picked))?.get(target) : undefined;
  }

  pick(thing: Dragged): void {
    this.said = null;
    this.picked = thing;
  }

  putBack(): void {
    if (this.picked) announcer.say(words.draft.isPutBack(nameOf(this.picked, this.view)));
    this.picked = null;
    this.over = null;
  }

  isPicked(thing: Dragged): boolean {
    return this.picked !== null && keyOf(this.picked) === keyOf(thing);
  }

  /** A drag has ended, wherever it did. */
  letGo(thing: Dragged): void {
    if (this.isPicked(thing)) this.picked = null;
    this.over = null;
  }

  /** Press a thing: it is picked, put back, or the picked thing is dropped on it. Who picks by keys is led to a target. */
  press(thing: Dragged | Target, { byKeys = false }: { byKeys?: boolean } = {}): void {
    const key = keyOf(thing);
    if (!this.canPlay) return;
    if (this.picked && this.dropOn(key)) void this.drop(this.picked, key);
    else if (thing.thing === "stack" || thing.thing === "open_area" || this.isPicked(thing)) this.putBack();
    else {
      this.pick(thing);
      announcer.say(words.draft.picked(nameOf(thing, this.view)));
      if (byKeys) void this.#lead(thing);
    }
  }

  async #lead(thing: Dragged): Promise<void> {
    await this.#coming;
    await tick();
    if (this.isPicked(thing)) this.display.focusTarget();
  }

  /** Drop a thing: what is meant is done, what must be chosen is asked, and what cannot be is refused. */
  async drop(thing: Dragged, target: string | null): Promise<void> {
    this.picked = null;
    this.over = null;
    if (target === null || !this.canPlay) return;
    const version = this.table.version;
    const drop = (await this.#coming).get(keyOf(thing))?.get(target);
    if (!drop || version !== this.table.version) return;
    if (drop.refusal) return this.#say(drop.refusal.sentence);
    const only = onlyMeaning(drop);
    if (only) return this.choose(only);
    await this.#openChoice(thing, drop, target);
  }

  async #openChoice(thing: Dragged, drop: PossibleDrop, target: string): Promise<void> {
    const labels = words.draft;
    const name = nameOf(thing, this.view);
    const title = target === OPEN ? labels.chooseOpen(name) : labels.choose(name, nameOf(drop.target, this.view));
    const staged = drop.actions.find((action) => action.kind === "staging")?.staging ?? null;
    const dialog = staged && this.view ? await askDialog(this.table.rules, this.view, staged).catch(() => null) : null;
    if (!this.canPlay) return;
    this.choice = {
      title: dialog?.title ?? title,
      message: dialog ? `${title}: ${dialog.message}` : labels.chooseLine,
      actions: drop.actions,
      unavailable: dialog?.unavailable ?? [],
    };
  }

  /** Ask what can be done with the stack. */
  async openStack(): Promise<void> {
    if (!this.stack || !this.view || !this.canPlay) return;
    try {
      const dialog = await askDialog(this.table.rules, this.view, this.stack);
      if (!this.canPlay) return;
      this.choice = { title: dialog.title, message: dialog.message, actions: [...dialog.options, dialog.edit, dialog.cancel], unavailable: dialog.unavailable };
    } catch (error) {
      this.#say(refusalOf(error).sentence);
    }
  }

  /** Do what was chosen: move, or let the stack be what it shall be. */
  async choose(action: Action): Promise<void> {
    if (action.move) return this.play(action.move);
    this.choice = null;
    this.said = null;
    if (action.kind === "cancel") {
      this.cancel();
    } else if (action.staging) {
      const staging = action.staging;
      this.display.flip(() => (this.stack = staging));
    }
  }

  /** Make a move of the list. */
  async play(move: Move): Promise<void> {
    this.choice = null;
    this.said = null;
    if (await this.table.act(move)) this.stack = null;
  }

  closeChoice(): void {
    this.choice = null;
  }

  cancel(): void {
    this.display.flip(() => (this.stack = null));
    announcer.say(words.draft.cancelled);
  }

  /** Take one thing back from the stack. */
  async takeBack(thing: Dragged): Promise<void> {
    const stack = this.stack;
    if (!stack || !this.view) return;
    try {
      const left = await askUnstage(this.table.rules, this.view, stack, thing);
      if (this.stack === stack) this.display.flip(() => (this.stack = left));
    } catch (error) {
      this.#say(refusalOf(error).sentence);
    }
  }

  #say(sentence: string): void {
    this.said = sentence;
    announcer.say(sentence);
  }
}

/** Return the refusal of a batch without the number of the question: what was asked for is everything. */
function aboutAll(refusal: Refusal): Refusal {
  return { ...refusal, sentence: refusal.sentence.replace(/^question \d+: /, "") };
}
