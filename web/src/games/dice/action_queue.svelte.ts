/** Queues actions: locks are applied optimistically, and each action is sent for the version that follows the one before. */
import { SvelteMap } from "svelte/reactivity";
import type { Actions } from "../../api/types";
import { memoizePerTable } from "../../match/per_table";
import type { Table } from "../../match/table.svelte";

export type Action = Actions["dice"];
export type WildSet = { place: number; face: number };
type OfType<T extends Action["type"]> = Extract<Action, { type: T }>;

/** Picks an action from those that are legal when it is sent. */
type ActionChoice = (actions: Action[]) => Action | undefined;

const VERSION_TIMEOUT_MS = 5_000;

/** Return the legal action of a type that fits; undefined where there is none. */
export function legal<T extends Action["type"]>(
  actions: Action[],
  type: T,
  fits: (action: OfType<T>) => boolean = () => true,
): OfType<T> | undefined {
  return actions.find((action): action is OfType<T> => action.type === type && fits(action as OfType<T>));
}

export class ActionQueue {
  /** Locks that were requested and are not in the view yet. */
  #pendingLocks = new SvelteMap<number, boolean>();
  #pendingActions = $state.raw<ActionChoice[]>([]);
  #isRunning = false;

  constructor(private readonly table: Table<"dice">) {}

  /** Whether the viewer may act; true while an action is being sent. */
  get isOpen(): boolean {
    const { viewer, deciding } = this.table.frame;
    return viewer !== null && deciding.includes(viewer) && this.table.connection.state === "live" && !this.table.isOver;
  }

  /** Whether an action waits for locks. */
  get isWaiting(): boolean {
    return this.#pendingActions.length > 0;
  }

  /** Whether requested locks are not in the view yet. */
  get isChanging(): boolean {
    return this.#pendingLocks.size > 0;
  }

  isLocked(place: number): boolean {
    return this.#pendingLocks.get(place) ?? this.#isLocked(place);
  }

  /** Whether the die can be locked or unlocked now. */
  canToggle(place: number): boolean {
    if (!this.isOpen) return false;
    return this.#pendingLocks.has(place) || this.#lockAction(place, true) !== undefined || this.#lockAction(place, false) !== undefined;
  }

  toggle(place: number): void {
    if (!this.canToggle(place)) return;
    this.#pendingLocks.set(place, !this.isLocked(place));
    void this.#run();
  }

  /** Lock these dice, except wild ones that are set, and unlock all others; then set the wild ones. */
  keep(places: number[], sets: WildSet[] = []): void {
    const size = this.table.view?.build.dice.length ?? 0;
    for (let place = 0; place < size; place += 1) {
      if (sets.some((one) => one.place === place)) continue;
      if (places.includes(place) !== this.isLocked(place)) this.#pendingLocks.set(place, places.includes(place));
    }
    if (sets.length) this.set(sets);
    else void this.#run();
  }

  /** Set wild dice after all locks are applied. */
  set(sets: WildSet[]): void {
    this.then(...sets.map((one) => (actions: Action[]) => legal(actions, "set_wild", (action) => action.place === one.place && action.face === one.face)));
  }

  /** Send actions after all locks are applied, one after the other; those that are not legal then are skipped. */
  then(...chosen: ActionChoice[]): void {
    if (!this.isOpen || this.isWaiting) return;
    this.#pendingActions = chosen;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    try {
      for (let action = this.#next(); action; action = this.#next()) {
        const before = this.table.version;
        if (!(await this.table.act(action)) || !(await this.#isNewerThan(before))) return this.#clear();
      }
    } finally {
      this.#isRunning = false;
    }
  }

  #next(): Action | undefined {
    for (const [place, lock] of [...this.#pendingLocks]) {
      const action = this.#isLocked(place) === lock ? undefined : this.#lockAction(place, lock);
      if (action) return action;
      this.#pendingLocks.delete(place);
    }
    while (this.#pendingActions.length) {
      const [choose, ...rest] = this.#pendingActions;
      this.#pendingActions = rest;
      const action = choose?.(this.table.actions);
      if (action) return action;
    }
    return undefined;
  }

  #clear(): void {
    this.#pendingLocks.clear();
    this.#pendingActions = [];
  }

  #isLocked(place: number): boolean {
    return this.table.view?.locked.includes(place) ?? false;
  }

  #lockAction(place: number, lock: boolean): Action | undefined {
    return legal(this.table.actions, lock ? "lock" : "unlock", (action) => action.place === place);
  }

  async #isNewerThan(version: number): Promise<boolean> {
    const until = performance.now() + VERSION_TIMEOUT_MS;
    while (this.table.version <= version && performance.now() < until) await new Promise((resume) => setTimeout(resume, 8));
    return this.table.version > version;
  }
}

/** Return the queue of a table, which board and coach share. */
export const actionQueueOf = memoizePerTable((table: Table<"dice">) => new ActionQueue(table));
