/** A step-by-step reveal by timer; it can be skipped, and is immediate with reduced motion. */
import { settings } from "../../settings.svelte";

/** Returns the delay after a step, in milliseconds. */
export type StepDelay = (step: number) => number;

export class Reveal {
  /** The key of the draw that is revealed. */
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

  /** Return the number of steps shown of a draw; Infinity where it is not being revealed. */
  visibleSteps(key: string | null): number {
    return key !== null && key === this.key && this.isRunning ? this.#shown : Infinity;
  }

  /** Reveal the steps from `from` to `until`; a reveal of the same draw goes on to `until`. */
  begin(key: string, from: number, until: number): void {
    if (settings.reducesMotion) {
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

  /** Show all steps now. */
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
