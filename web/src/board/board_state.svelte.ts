/** The state that the parts of the default board share: its model, the choices, and what is picked of them. */
import { memoizePerTable } from "../match/per_table";
import type { Table } from "../match/table.svelte";
import { actionWords, canPick, choicesOf, findByParts, findPicked, hasAllFaces, optionsOf, type Face, type Parts } from "./choices";
import { typesOf, type Json, type JsonObject } from "./game_types";
import { boardOf, type BoardModel } from "./model";
import { wordsOf, type Piece, type ShownField } from "./shown";
import { words } from "./text";

/** A numbered control of the dock; `run` is null where it is not possible. */
export type Control = { label: string; isMain: boolean; run: (() => void) | null };

/** The row of pieces in the dock, for choices whose cards do not lie on the board. */
export const DOCK = "dock";
export const rowId = (seat: number | null, name: string): string => `${seat ?? "middle"}.${name}`;

export class BoardState {
  /** The places that are picked, in a version of the match; those of another version are forgotten. */
  #picked = $state.raw<{ version: number; places: readonly number[] }>({ version: -1, places: [] });
  #parts = $state.raw<{ version: number; values: readonly string[] }>({ version: -1, values: [] });
  /** The version at which the viewer has acted: nothing else is sent for it. */
  #acted = $state(-1);
  /** An action that was refused because others had acted in secret; it is sent again at the next version. */
  #again = $state.raw<{ version: number; action: Json } | null>(null);

  readonly types = $derived.by(() => typesOf(this.table.game));
  readonly rules = $derived.by(() => (this.table.rules ?? {}) as unknown as JsonObject);
  readonly model: BoardModel = $derived.by(() => boardOf(this.types, (this.table.view ?? null) as Json, this.rules, this.table.frame.chairs.length));
  readonly choices = $derived.by(() => choicesOf(this.types, (this.isSeated ? this.table.actions : []) as unknown as Json[], this.rules));
  /** The row whose pieces can be picked; null where nothing is to be picked. */
  readonly source: { id: string; faces: readonly (Face | null)[] } | null = $derived.by(() => {
    const { picks } = this.choices;
    if (!picks) return null;
    const found = this.#rows().find(({ faces }) => hasAllFaces(picks, faces));
    return found ?? { id: DOCK, faces: picks.faces };
  });
  readonly pickedFaces: readonly Face[] = $derived.by(() => this.#places().map((place) => this.source?.faces[place]).filter((face) => face !== undefined && face !== null));

  constructor(readonly table: Table<any>) {}

  /** Whether the viewer is asked to choose, even while the connection is lost. */
  get isSeated(): boolean {
    const { viewer, deciding } = this.table.frame;
    return viewer !== null && !this.table.isReplay && !this.table.isOver && deciding.includes(viewer);
  }
  /** Whether a choice can be sent now. */
  get canAct(): boolean {
    return this.table.canAct && this.#acted !== this.table.version;
  }
  get chosenParts(): readonly string[] {
    return this.#parts.version === this.table.version ? this.#parts.values : [];
  }

  isPicked(place: number): boolean {
    return this.#places().includes(place);
  }

  /** Whether a piece of the source can be picked, or put back. */
  canToggle(place: number): boolean {
    const { picks } = this.choices;
    const face = this.source?.faces[place] ?? null;
    if (!picks || face === null || !this.canAct) return false;
    return this.isPicked(place) || canPick(picks, picks.most === 1 ? [face] : [...this.pickedFaces, face]);
  }

  toggle(place: number): void {
    if (!this.canToggle(place)) return;
    const before = this.#places();
    const places = before.includes(place) ? before.filter((one) => one !== place) : this.choices.picks?.most === 1 ? [place] : [...before, place];
    this.#picked = { version: this.table.version, places };
  }

  clear(): void {
    this.#picked = { version: this.table.version, places: [] };
    this.#parts = { version: this.table.version, values: [] };
  }

  /** Return the numbered controls: buttons of actions, options of the part that is to be chosen, and the confirmation. */
  controls(): Control[] {
    const { buttons, picks, parts } = this.choices;
    const can = this.canAct;
    const controls: Control[] = buttons.map(({ action, label }) => ({ label, isMain: false, run: can ? () => void this.act(action) : null }));
    if (parts && this.chosenParts.length < parts.names.length)
      controls.push(...optionsOf(parts, this.chosenParts).map((value) => ({ label: value, isMain: false, run: can ? () => this.#choosePart(value) : null })));
    else if (parts) controls.push(this.#confirmation(...this.#chosen(parts)));
    if (picks) controls.push(this.#confirmation(findPicked(picks, this.pickedFaces), this.#pickedWords(picks.of)));
    return controls;
  }

  /** Send an action; where it is stale it is sent again, if it is still listed then. */
  async act(action: Json): Promise<void> {
    const { version } = this.table;
    this.#again = null;
    if (await this.table.act(action as never)) {
      this.#acted = version;
      return;
    }
    if (this.table.refusal?.code === "stale") this.#again = { version, action };
    this.sendAgain();
  }

  /** Send what was stale again, once a newer version is shown in which it is listed. */
  sendAgain(): void {
    const again = this.#again;
    if (!again || this.table.version <= again.version || !this.table.canAct) return;
    this.#again = null;
    const text = JSON.stringify(again.action);
    if (this.table.actions.some((one) => JSON.stringify(one) === text)) void this.act(again.action);
  }

  #places(): readonly number[] {
    return this.#picked.version === this.table.version ? this.#picked.places : [];
  }

  #chosen(parts: Parts): [Json | undefined, string] {
    const action = findByParts(parts, this.chosenParts);
    return [action, action === undefined ? this.chosenParts.join(", ") : actionWords(this.types, action, this.rules)];
  }

  #choosePart(value: string): void {
    this.#parts = { version: this.table.version, values: [...this.chosenParts, value] };
  }

  #confirmation(action: Json | undefined, what: string): Control {
    const label = what ? words.dock.confirm(what) : words.dock.confirmNone(this.choices.picks?.of ?? "card");
    return { label, isMain: true, run: action === undefined || !this.canAct ? null : () => void this.act(action) };
  }

  #pickedWords(of: Piece["kind"]): string {
    return this.pickedFaces.length ? wordsOf({ kind: "pieces", of, pieces: this.pickedFaces.map((face) => ({ kind: of, face })) }) : "";
  }

  /** Return the rows of pieces on the board: those of the viewer first. */
  #rows(): { id: string; faces: readonly (Face | null)[] }[] {
    const { seats, pieces } = this.model;
    const { viewer } = this.table;
    const own = seats.filter(({ seat }) => seat === viewer);
    const rows = (seat: number | null, fields: readonly ShownField[]): { id: string; faces: readonly (Face | null)[] }[] =>
      fields.flatMap(({ name, shown }) => (shown.kind === "pieces" ? [{ id: rowId(seat, name), faces: shown.pieces.map((piece) => piece.face) }] : []));
    return [...own.flatMap(({ seat, fields }) => rows(seat, fields)), ...rows(null, pieces)];
  }
}

export const boardState = memoizePerTable<any, BoardState>((table) => new BoardState(table));
