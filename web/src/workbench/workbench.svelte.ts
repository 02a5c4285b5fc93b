/** The state of a workbench: one setting, or two to compare, each with its own rules; it can be stored in a link. */
import type { Component } from "svelte";
import type { Refusal } from "../api/types";
import { at, differences, withAt, type Path, type Rules } from "../rules/changes";
import { RulesDraft } from "../rules/draft.svelte";
import { deltaOf, applyDelta, decodeLink, encodeLink, type Json } from "./link";
import { isPlain, type Check } from "./shapes";

export type SideName = "A" | "B";

/** The parts of a game's workbench. */
export type WorkbenchParts<S extends object> = {
  /** The tools; the first is the default. */
  tools: readonly string[];
  /** The names of the tools; optional for a single one. */
  toolNames?: Readonly<Record<string, string>>;
  /** The initial setting. */
  start: () => S;
  /** Whether data of a link is a setting. */
  fits: Check;
  Controls: Component<{ side: Side<S>; tool: string }>;
  Results: Component<{ workbench: Workbench<S> }>;
};

/** A setting and its rules. */
export class Side<S extends object> {
  readonly name: SideName;
  readonly draft: RulesDraft;
  setting = $state() as S;
  /** Why the rules could not be loaded. */
  trouble = $state.raw<unknown>(null);
  /** The server's refusal of a question about this setting. */
  refusal = $state.raw<Refusal | null>(null);

  constructor(name: SideName, game: string, setting: S) {
    this.name = name;
    this.draft = new RulesDraft(game);
    this.setting = setting;
  }

  /** The present rules in full; null until they are loaded. */
  get rules(): Rules | null {
    return this.draft.base && { ...this.draft.base, ...this.draft.changes };
  }

  /** Set the rules: a preset, and changes to it. */
  async take(preset: string, changes: Rules): Promise<void> {
    this.trouble = null;
    try {
      await this.draft.choose(preset);
      if (Object.keys(changes).length) this.draft.change(changes);
    } catch (error) {
      this.trouble = error;
    }
  }

  rule(path: Path): unknown {
    return at(this.rules, path);
  }

  /** Change one rule. */
  setRule(path: Path, next: unknown): void {
    const base = this.draft.base;
    if (base) this.draft.change(differences(withAt(this.rules, path, next) as Rules, base));
  }
}

type SideLinkState = { p?: string; c?: Rules; s?: Json };

export class Workbench<S extends object> {
  readonly game: string;
  readonly parts: WorkbenchParts<S>;
  readonly a: Side<S>;
  readonly b: Side<S>;
  tool = $state("");
  compares = $state(false);

  constructor(game: string, parts: WorkbenchParts<S>) {
    this.game = game;
    this.parts = parts;
    this.a = new Side("A", game, parts.start());
    this.b = new Side("B", game, parts.start());
    this.tool = parts.tools[0]!;
  }

  /** The settings that are shown. */
  get sides(): Side<S>[] {
    return this.compares ? [this.a, this.b] : [this.a];
  }

  /** Return the request of each setting; null where its rules are not loaded. */
  requests<T extends object>(body: (side: Side<S>, rules: unknown) => T | null): (T | null)[] {
    return this.sides.map((side) => (side.draft.base ? body(side, side.draft.given) : null));
  }

  /** Start with the state of a link, or the initial one; returns false where the link cannot be read. */
  begin(text: string | null): boolean {
    const state = text === null ? {} : decodeLink(text);
    const isRead = isPlain(state) && this.#restore(state);
    if (!isRead) this.#reset();
    return isRead;
  }

  #reset(): void {
    this.tool = this.parts.tools[0]!;
    this.compares = false;
    this.a.setting = this.parts.start();
    this.b.setting = this.parts.start();
    void this.a.take("default", {});
    void this.b.take("default", {});
  }

  #restore(state: Record<string, unknown>): boolean {
    const { t = this.parts.tools[0], a = {}, b = null } = state;
    if (typeof t !== "string" || !this.parts.tools.includes(t) || !isSideLinkState(a) || !(b === null || isSideLinkState(b))) return false;
    const first = applyDelta(this.parts.start() as Json, a.s);
    const second = applyDelta(first, b?.s);
    if (!this.parts.fits(first) || !this.parts.fits(second)) return false;
    this.tool = t;
    this.compares = b !== null;
    this.a.setting = first as S;
    this.b.setting = second as S;
    void this.a.take(a.p ?? "default", a.c ?? {});
    const rules = b ?? a;
    void this.b.take(rules.p ?? "default", rules.c ?? {});
    return true;
  }

  /** The state as a text for a link: "" for the initial state, null where it is too long. */
  get link(): string | null {
    const state: { [name: string]: Json } = {};
    if (this.tool !== this.parts.tools[0]) state.t = this.tool;
    const a = linkStateOf(this.a, this.parts.start() as Json);
    if (Object.keys(a).length) state.a = a as Json;
    if (this.compares) state.b = linkStateOf(this.b, $state.snapshot(this.a.setting) as Json) as Json;
    return Object.keys(state).length ? encodeLink(state) : "";
  }

  /** Copy setting A to B. */
  copy(): void {
    this.b.setting = $state.snapshot(this.a.setting) as S;
    void this.b.take(this.a.draft.preset, this.a.draft.changes);
  }

  swap(): void {
    const [a, b] = [$state.snapshot(this.a.setting) as S, $state.snapshot(this.b.setting) as S];
    const [ofA, ofB] = [this.a.draft, this.b.draft].map(({ preset, changes }) => ({ preset, changes }));
    this.a.setting = b;
    this.b.setting = a;
    void this.a.take(ofB!.preset, ofB!.changes);
    void this.b.take(ofA!.preset, ofA!.changes);
  }

  startOver(): void {
    this.#reset();
  }
}

function isSideLinkState(value: unknown): value is SideLinkState {
  if (!isPlain(value)) return false;
  const { p = "default", c = {}, s = {} } = value;
  return typeof p === "string" && p.length <= 60 && isPlain(c) && s !== undefined;
}

function linkStateOf<S extends object>(side: Side<S>, base: Json): SideLinkState {
  const state: SideLinkState = {};
  const setting = deltaOf(base, $state.snapshot(side.setting) as Json);
  if (setting !== undefined) state.s = setting;
  if (side.draft.preset !== "default") state.p = side.draft.preset;
  if (side.draft.isChanged) state.c = side.draft.changes;
  return state;
}
