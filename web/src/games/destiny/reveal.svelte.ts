/** What is turned over step by step: it goes on by itself, can be skipped, and is there at once where nothing shall move. */
import { settings } from "../../settings.svelte";

/** How long a step is looked at before the next one, in milliseconds; by its number. */
export type StepDelay = (step: number) => number;

export class Reveal {
  /** Of what this is: the key of the draw. */
  key = $state.raw<string | null>(null);
  #shown = $state(0);
  #until = $state(0);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #delayOf: StepDelay;
  #onstep: (step: number) => void;

  constructor(delayOf: StepDelay, onstep: (step: number) => void = () => {}) {
    this.#delayOf = delayOf;
    this.#onstep = onstep;
  }

  get isRunning(): boolean {
    return this.#shown < this.#until;
  }

  /** How many steps of this draw are shown; all of them where it is not being turned over. */
  shownOf(key: string | null): number {
    return key !== null && key === this.key && this.isRunning ? this.#shown : Infinity;
  }

  /** Turn over the steps from one to another; what is running goes on, and further. */
  begin(key: string, from: number, until: number): void {
    if (settings.isStill) {
      this.key = key;
      this.finish();
      return;
    }
    if (this.isRunning && this.key === key) {
      this.#until = until;
      return;
    }
    clearTimeout(this.#timer);
    [this.key, this.#shown, this.#until] = [key, from, until];
    this.#wait();
  }

  /** Show everything now. */
  finish(): void {
    clearTimeout(this.#timer);
    this.#shown = this.#until;
  }

  #wait(): void {
    this.#timer = setTimeout(() => {
      this.#shown += 1;
      this.#onstep(this.#shown);
      if (this.isRunning) this.#wait();
    }, this.#delayOf(this.#shown));
  }
}
