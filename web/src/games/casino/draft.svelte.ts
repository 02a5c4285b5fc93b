/** The draft of a move: the picked thing, the stack, and the open choice. */
import { tick, untrack } from "svelte";
import { refusalOf } from "../../api/http";
import { announcer } from "../../design/announce.svelte";
import type { Table } from "../../match/table.svelte";
import { dropChoice, endsStack, stackChoice, stagingOf, type Choice } from "./choice";
import type { Display } from "./display.svelte";
import {
  keyOf,
  nameOf,
  onlyAction,
  type Action,
  type DraggedItem,
  type Move,
  type PossibleDrop,
  type Staging,
  type Target,
  type View,
} from "./draggables";
import { Drops } from "./drops.svelte";
import { askDialog, askUnstage } from "./questions";
import { words } from "./text";

export class Draft {
  stack = $state.raw<Staging | null>(null);
  /** What is dragged, or picked to be dropped by a second press. */
  picked = $state.raw<DraggedItem | null>(null);
  /** The target below a dragged thing. */
  over = $state.raw<string | null>(null);
  choice = $state.raw<Choice | null>(null);
  /** Why the last drop did nothing, until the next one. */
  message = $state.raw<string | null>(null);
  readonly drops = new Drops();
  #reloads = $state(0);
  /** The stack that the other viewers see at `#shownVersion`. */
  #shown: Staging | null = null;
  #shownVersion = 0;

  constructor(
    private readonly table: Table<"casino">,
    private readonly display: Display,
  ) {}

  /** Whether the player may choose now: it is their turn, and all that happened is shown. */
  get canPlay(): boolean {
    return this.table.canAct && !this.display.isBusy && this.view?.viewer !== null;
  }

  get view(): View | null {
    return this.table.view;
  }

  /** Follow the table until the component is destroyed. */
  follow(): void {
    $effect(() => {
      const { version, newEvents } = this.table;
      untrack(() => this.#checkStack(version, newEvents.some((entry) => entry.event.event === "moved")));
    });
    $effect(() => {
      const [stack, { version, connection }] = [this.stack, this.table];
      untrack(() => this.#showStack(stack, version, connection.state === "live"));
    });
    $effect(() => {
      void this.#reloads;
      if (!this.canPlay || !this.view) {
        untrack(() => this.#reset());
        return;
      }
      const request = new AbortController();
      const [view, stack] = [this.view, this.stack];
      untrack(() => this.drops.load(this.table.rules, view, stack, request.signal));
      return () => request.abort();
    });
  }

  /** Ask the server again what can be done. */
  reload(): void {
    this.#reloads += 1;
  }

  /** Show the stack to all viewers; the server drops it with the connection, and at every version. */
  #showStack(stack: Staging | null, version: number, isLive: boolean): void {
    if (!isLive || version !== this.#shownVersion) this.#shown = null;
    this.#shownVersion = version;
    if (!isLive || stack === this.#shown) return;
    this.#shown = stack;
    this.table.showDraft(stack);
  }

  #reset(): void {
    this.picked = null;
    this.over = null;
    this.drops.clear();
    if (!this.table.sending) this.choice = null;
  }

  /** Drop a stack that has ended, or that the server no longer accepts. */
  #checkStack(version: number, hasMoved: boolean): void {
    const stack = this.stack;
    if (!stack) return;
    const view = this.view;
    if (!view || endsStack(view, hasMoved, this.table.isOver)) {
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
    return this.picked ? this.drops.find(this.picked, target) : undefined;
  }

  pick(thing: DraggedItem): void {
    this.message = null;
    this.picked = thing;
  }

  putBack(): void {
    if (this.picked) announcer.say(words.draft.isPutBack(nameOf(this.picked, this.view)));
    this.picked = null;
    this.over = null;
  }

  isPicked(thing: DraggedItem): boolean {
    return this.picked !== null && keyOf(this.picked) === keyOf(thing);
  }

  /** A drag has ended, on a target or not. */
  letGo(thing: DraggedItem): void {
    if (this.isPicked(thing)) this.picked = null;
    this.over = null;
  }

  /** Press a thing: it is picked, put back, or the picked thing is dropped on it. Picking by keys moves the focus to a target. */
  press(thing: DraggedItem | Target, { byKeys = false }: { byKeys?: boolean } = {}): void {
    const key = keyOf(thing);
    if (!this.canPlay) return;
    if (this.picked && this.dropOn(key)) void this.drop(this.picked, key);
    else if (thing.thing === "stack" || thing.thing === "open_area" || this.isPicked(thing)) this.putBack();
    else {
      this.pick(thing);
      announcer.say(words.draft.picked(nameOf(thing, this.view)));
      if (byKeys) void this.#focusTargetOf(thing);
    }
  }

  async #focusTargetOf(thing: DraggedItem): Promise<void> {
    await this.drops.settle();
    await tick();
    if (this.isPicked(thing)) this.display.focusTarget();
  }

  /** Drop a thing: a single action is done, several open a choice, and a refusal is shown. */
  async drop(thing: DraggedItem, target: string | null): Promise<void> {
    this.picked = null;
    this.over = null;
    if (target === null || !this.canPlay) return;
    const version = this.table.version;
    const drop = await this.drops.findOnceLoaded(thing, target);
    if (!drop || version !== this.table.version) return;
    if (drop.refusal) return this.#say(drop.refusal.sentence);
    const only = onlyAction(drop);
    if (only) return this.choose(only);
    const staging = stagingOf(drop);
    const dialog = staging && this.view ? await askDialog(this.table.rules, this.view, staging).catch(() => null) : null;
    if (this.canPlay) this.choice = dropChoice(thing, drop, target, dialog, this.view);
  }

  /** Ask what can be done with the stack. */
  async openStack(): Promise<void> {
    if (!this.stack || !this.view || !this.canPlay) return;
    try {
      const dialog = await askDialog(this.table.rules, this.view, this.stack);
      if (this.canPlay) this.choice = stackChoice(dialog);
    } catch (error) {
      this.#say(refusalOf(error).sentence);
    }
  }

  /** Do what was chosen: make a move, or change the stack. */
  async choose(action: Action): Promise<void> {
    if (action.move) return this.play(action.move);
    this.choice = null;
    this.message = null;
    if (action.kind === "cancel") {
      this.cancel();
    } else if (action.staging) {
      const staging = action.staging;
      this.display.flip(() => (this.stack = staging));
    }
  }

  /** Make a legal move. */
  async play(move: Move): Promise<void> {
    this.choice = null;
    this.message = null;
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
  async takeBack(thing: DraggedItem): Promise<void> {
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
    this.message = sentence;
    announcer.say(sentence);
  }
}
