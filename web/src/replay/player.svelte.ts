/** Plays a replay: shows the frames of a record on a table, one after the other or by the scrubber. */
import { refusalOf } from "../api/http";
import type { Refusal } from "../api/types";
import type { Frames, ReplayFrame, Viewer } from "../match/replay_frames";
import { Table } from "../match/table.svelte";

export const SPEEDS = [0.5, 1, 2, 4] as const;
const STEP = 1_100;

export class Player {
  readonly table: Table;
  readonly frames: Frames;
  shownPly = $state(0);
  /** The ply to show next; equal to `shownPly` unless its frame is loading. */
  targetPly = $state(0);
  viewer = $state<Viewer>(null);
  playing = $state(false);
  speed = $state<number>(1);
  /** Why a frame could not be fetched. */
  refusal = $state.raw<Refusal | null>(null);

  #timer: ReturnType<typeof setTimeout> | undefined;
  #requests = 0;

  constructor(frames: Frames, viewer: Viewer = null) {
    this.frames = frames;
    this.viewer = viewer;
    const first = frames.at(0, viewer)!;
    this.table = new Table(frames.head.game, frames.head.rules, first);
    this.table.connection = { state: "replay" };
  }

  get plies(): number {
    return this.frames.head.plies;
  }
  get frame(): ReplayFrame {
    return this.table.frame as ReplayFrame;
  }
  get isWaiting(): boolean {
    return this.targetPly !== this.shownPly || this.frame.viewer !== this.viewer;
  }
  get isAtEnd(): boolean {
    return this.targetPly >= this.plies;
  }

  /** Go to a ply; its events are new where it is the next one. */
  async seek(ply: number): Promise<void> {
    this.targetPly = Math.max(0, Math.min(this.plies, Math.round(ply)));
    await this.#show();
  }

  /** Show what another viewer saw. */
  async viewAs(viewer: Viewer): Promise<void> {
    this.viewer = viewer;
    await this.#show();
  }

  step(by: number): Promise<void> {
    this.pause();
    return this.seek(this.targetPly + by);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  /** Play from here, or from the beginning where it is at its end. */
  play(): void {
    this.playing = true;
    if (this.isAtEnd) void this.seek(0);
    this.#schedule();
  }

  pause(): void {
    this.playing = false;
    clearTimeout(this.#timer);
  }

  close(): void {
    this.pause();
    this.#requests += 1;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#next(), STEP / this.speed);
  }

  async #next(): Promise<void> {
    if (!this.playing) return;
    await this.seek(this.shownPly + 1);
    if (!this.playing) return;
    if (this.isAtEnd || this.refusal) this.pause();
    else this.#schedule();
  }

  async #show(): Promise<void> {
    const request = ++this.#requests;
    const [ply, viewer] = [this.targetPly, this.viewer];
    this.refusal = null;
    try {
      const frame = this.frames.at(ply, viewer) ?? (await this.frames.fetch(ply, viewer));
      if (request !== this.#requests) return;
      const follows = ply === this.shownPly + 1 && this.frame.viewer === viewer;
      this.shownPly = ply;
      this.table.showAt(frame, this.frames.eventsUntil(ply, viewer) as never, { follows });
      this.frames.prefetch(ply, viewer);
    } catch (error) {
      if (request !== this.#requests) return;
      this.refusal = refusalOf(error);
      this.pause();
      this.targetPly = this.shownPly;
      this.viewer = this.frame.viewer;
    }
  }
}

