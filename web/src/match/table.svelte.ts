/** The state of a match page: its newest frame, its log, and its connection. */
import { breakable } from "../design/names";
import { refusalOf } from "../api/http";
import type { Actions, AnyRules, Events, Frame, GameName, Refusal, Views } from "../api/types";

/** A source of frames: a socket, or a replay. */
export type Source = {
  /** Apply an action; resolves when it was applied, and rejects with a refusal. Null for spectators and replays. */
  act: ((action: unknown, version: number) => Promise<void>) | null;
  /** Show a draft of the next choice to all viewers, null to withdraw it; absent for replays. */
  showDraft?(draft: unknown, version: number): void;
  close(): void;
};

/** A draft that a seat shows at a version; `draft` is null where it is withdrawn. */
export type ShownDraft = { version: number; seat: number; draft: unknown };

export type Connection =
  | { state: "connecting" }
  | { state: "live"; cameBack: boolean }
  | { state: "away"; retryAt: number }
  | { state: "closed"; refusal: Refusal }
  | { state: "replay" };

/** An event with its version, a key that is unique in its match, and whether a clock made the choice behind it. */
export type LogEvent<G extends GameName> = { key: string; version: number; event: Events[G]; byClock: boolean };

const MOST_LOGGED = 2_000;

export class Table<G extends GameName = GameName> {
  readonly game: G;
  readonly match: string;
  readonly rules: AnyRules[G];

  /** The last frame; replaced as a whole. */
  frame = $state.raw<Frame>() as Frame;
  /** The events since the frame before; for animation. Empty after a jump of the scrubber. */
  newEvents = $state.raw<LogEvent<G>[]>([]);
  /** The latest events of the match, up to `MOST_LOGGED`. */
  log = $state.raw<LogEvent<G>[]>([]);
  connection = $state.raw<Connection>({ state: "connecting" });
  /** Whether an action is being sent. */
  sending = $state(false);
  /** The refusal of the last action, until the next one. */
  refusal = $state.raw<Refusal | null>(null);

  /** What seats show of their next choice, by seat; until the next version. */
  drafts = $state.raw<ReadonlyMap<number, unknown>>(new Map());

  #source: Source | null = null;

  constructor(game: G, rules: AnyRules[G], frame: Frame) {
    this.game = game;
    this.match = frame.match;
    this.rules = rules;
    this.frame = frame;
    this.log = eventsIn<G>(frame).slice(-MOST_LOGGED);
  }

  get version(): number {
    return this.frame.version;
  }
  /** The game's own view; null until every seat is taken. */
  get view(): Views[G] | null {
    return this.frame.view as Views[G] | null;
  }
  get actions(): Actions[G][] {
    return this.frame.actions as Actions[G][];
  }
  get viewer(): number | null {
    return this.frame.viewer;
  }
  get isOver(): boolean {
    return this.frame.outcome !== null || this.frame.abandonment !== null;
  }
  get isReplay(): boolean {
    return this.connection.state === "replay";
  }
  /** Whether the viewer is to act, and the connection allows it. */
  get canAct(): boolean {
    const { viewer, deciding } = this.frame;
    return viewer !== null && deciding.includes(viewer) && this.connection.state === "live" && !this.sending;
  }

  /** Return the name of the player of a seat, with breaks in long words. */
  name(seat: number): string {
    return breakable(this.frame.chairs[seat]?.name ?? "");
  }

  connectTo(source: Source): void {
    this.#source?.close();
    this.#source = source;
  }

  /** Show a newer frame, with the events in between; frames of the same or an older version are ignored. */
  show(frame: Frame): void {
    if (frame.version <= this.frame.version) return;
    const newEvents = eventsIn<G>(frame).filter((entry) => entry.version > this.frame.version);
    this.frame = frame;
    this.drafts = new Map();
    this.newEvents = newEvents;
    if (newEvents.length) this.log = [...this.log, ...newEvents].slice(-MOST_LOGGED);
  }

  /** Show the draft of a seat; one of another version than that of the frame is ignored. */
  noteDraft({ version, seat, draft }: ShownDraft): void {
    if (version !== this.version) return;
    const others = [...this.drafts].filter(([other]) => other !== seat);
    this.drafts = new Map(draft === null ? others : [...others, [seat, draft]]);
  }

  /** Change the connection; drafts are sent again on a new one. */
  setConnection(connection: Connection): void {
    this.connection = connection;
    this.drafts = new Map();
  }

  /** Show a draft of the viewer to all viewers, null to withdraw it; nothing happens without a connection. */
  showDraft(draft: unknown): void {
    this.#source?.showDraft?.(draft, this.version);
  }

  /** Show a frame of a replay; `newEvents` is set where it follows the frame before. */
  showAt(frame: Frame, log: LogEvent<G>[], { follows }: { follows: boolean }): void {
    this.newEvents = follows ? eventsIn<G>(frame) : [];
    this.frame = frame;
    this.log = log;
  }

  /** Send an action for the version that is shown, and return whether it was applied; a refusal is stored in `refusal`. */
  async act(action: Actions[G]): Promise<boolean> {
    const act = this.#source?.act;
    if (!act || this.sending) return false;
    this.sending = true;
    this.refusal = null;
    try {
      await act($state.snapshot(action), this.version);
      return true;
    } catch (error) {
      this.refusal = refusalOf(error);
      return false;
    } finally {
      this.sending = false;
    }
  }

  close(): void {
    this.#source?.close();
    this.#source = null;
  }
}

/** Return the events of a frame, each with a key that no other event of the match has. */
export function eventsIn<G extends GameName>(frame: Frame): LogEvent<G>[] {
  return (frame.events ?? []).flatMap((batch) =>
    batch.events.map((event, index) => ({
      key: `${batch.version}.${index}`,
      version: batch.version,
      event: event as Events[G],
      byClock: batch.by_clock ?? false,
    })),
  );
}
