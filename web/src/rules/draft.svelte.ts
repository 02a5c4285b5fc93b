/** A draft of rules: a preset, changes to it, and the server's validation. */
import { refusalOf } from "../api/http";
import type { GivenRules } from "../api/matches";
import type { Refusal, SeatCount } from "../api/types";
import { differences, isEqual, type Rules } from "./changes";
import { fetchPreset, readRules, type ReadRulesReply } from "./rules_api";

const DEBOUNCE_MS = 350;

export class RulesDraft {
  readonly game: string;
  /** The preset that is changed. */
  preset = $state("default");
  /** The preset in full; null until it is loaded. */
  base = $state.raw<Rules | null>(null);
  /** The changes to the preset. */
  changes = $state.raw<Rules>({});
  /** The rules as the server read them last, with their id and as TOML. */
  read = $state.raw<ReadRulesReply | null>(null);
  /** How many may play by the rules that the server read last; null until it has read any. */
  seats = $state.raw<SeatCount | null>(null);
  /** Why the server refuses the rules; null where it accepts them. */
  wrong = $state.raw<Refusal | null>(null);
  checking = $state(false);

  #defaults: Rules | null = null;
  #preset: ReadRulesReply | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;

  constructor(game: string) {
    this.game = game;
  }

  get isChanged(): boolean {
    return Object.keys(this.changes).length > 0;
  }

  /** Whether the server has accepted the present rules. */
  get isRight(): boolean {
    return this.base !== null && !this.checking && this.wrong === null;
  }

  /** The rules of a request: the name of the preset, or a table of the differences from the default. */
  get given(): GivenRules {
    if (!this.isChanged || !this.base) return this.preset;
    return differences({ ...this.base, ...this.changes }, this.#defaults ?? this.base);
  }

  /** Load a preset, and discard the changes. Throws what the server refuses. */
  async choose(preset: string): Promise<void> {
    this.#cancelCheck();
    this.preset = preset;
    this.base = null;
    this.changes = {};
    this.read = null;
    this.wrong = null;
    const [read, defaults] = await Promise.all([fetchPreset(this.game, preset), fetchPreset(this.game, "default")]);
    if (this.preset !== preset) return;
    this.#defaults = defaults.rules;
    this.#preset = read;
    this.base = read.rules;
    this.#show(read);
  }

  /** Change the rules, and validate them on the server after a short delay. */
  change(changes: Rules): void {
    if (this.wrong === null && isEqual(changes, this.changes)) return;
    this.#cancelCheck();
    this.changes = changes;
    this.read = null;
    if (!this.isChanged) {
      this.wrong = null;
      if (this.#preset) this.#show(this.#preset);
      return;
    }
    this.checking = true;
    this.#timer = setTimeout(() => void this.#check(), DEBOUNCE_MS);
  }

  /** Replace the rules by those of a TOML text. Throws what the server refuses, and changes nothing then. */
  async take(toml: string): Promise<void> {
    const read = await readRules(this.game, { toml });
    this.#cancelCheck();
    if (!this.base) await this.choose(this.preset);
    this.changes = differences(read.rules, this.base!);
    this.#show(read);
    this.wrong = null;
  }

  /** Return the rules as TOML. Throws what the server refuses. */
  async toml(): Promise<string> {
    this.read ??= await readRules(this.game, { rules: this.given });
    return this.read.toml;
  }

  #show(read: ReadRulesReply): void {
    this.read = read;
    this.seats = read.seats;
  }

  #cancelCheck(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
    this.checking = false;
  }

  async #check(): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    try {
      const read = await readRules(this.game, { rules: this.given }, request.signal);
      if (request.signal.aborted) return;
      this.#show(read);
      this.wrong = null;
    } catch (error) {
      if (request.signal.aborted) return;
      this.wrong = refusalOf(error);
    }
    this.checking = false;
  }
}
