/** A table fed from the server's socket; it connects again by itself, hears what it missed, and repeats what was not answered. */
import { API, Refused, secretId } from "../api/http";
import type { Frame, Refusal, Schema } from "../api/types";
import { words } from "../text";
import { socketUrlOf } from "../urls";
import type { Connection, Source } from "./table.svelte";

type Answer = Schema<"Applied" | "Duplicate" | "StaleAnswer" | "Illegal">;
type Message = Partial<Frame> & { id?: string; answer?: Answer; error?: Refusal };
type Sent = { text: string; resolve: () => void; reject: (error: Refused) => void; late: ReturnType<typeof setTimeout> | undefined };

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const SILENCE = 12_000;
/** How long a choice may go without an answer before the line is taken for dead. */
const PATIENCE = 10_000;
/** How long nothing need be heard, or the device may have slept, before it is made sure that the line still lives. */
const STILLNESS = 60_000;
const PULSE = 10_000;
/** The server closes with this code after it has said why. */
const REFUSED = 1008;
/** What does not pass: to ask again is no use. */
const FINAL = new Set(["bad_token", "unknown_match"]);

export type Shown = { frame: (frame: Frame) => void; connection: (connection: Connection) => void };

export class Live implements Source {
  #socket: WebSocket | null = null;
  #sent = new Map<string, Sent>();
  #seen: number;
  #wait = FIRST_WAIT;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #said: Refusal | null = null;
  #wasAway = false;
  #closed = false;
  #heardAt = Date.now();
  #pulse: ReturnType<typeof setInterval>;

  constructor(
    private readonly match: string,
    private readonly token: string | null,
    since: number,
    private readonly shown: Shown,
  ) {
    this.#seen = since;
    addEventListener("online", this.#now);
    addEventListener("offline", this.#offline);
    addEventListener("visibilitychange", this.#visible);
    this.#pulse = setInterval(() => this.#makeSure(), PULSE);
    this.#connect();
  }

  get act(): Source["act"] {
    return this.token === null ? null : (action, version) => this.#act(action, version);
  }

  close(): void {
    this.#closed = true;
    this.#rest();
    this.#socket?.close();
    this.#refuseAll({ code: "away", sentence: words.common.serverAway });
  }

  /** Connect without waiting any longer. */
  retry(): void {
    this.#now();
  }

  #now = (): void => {
    if (this.#closed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  #visible = (): void => {
    if (document.visibilityState !== "visible") return;
    this.#now();
    this.#makeSure();
  };

  #offline = (): void => {
    if (this.#socket) this.#drop();
  };

  /** Reconnect after a while without messages: a dead connection may never be closed by either side. */
  #makeSure(): void {
    if (document.visibilityState !== "visible" || !this.#isLive || Date.now() - this.#heardAt < STILLNESS) return;
    const still = this.#socket;
    this.#isLive = false;
    this.#connect();
    silence(still);
  }

  /** Give up a line that does not answer, without waiting until it agrees. */
  #drop(): void {
    const dead = this.#socket;
    this.#lost(0);
    silence(dead);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#pulse);
    removeEventListener("online", this.#now);
    removeEventListener("offline", this.#offline);
    removeEventListener("visibilitychange", this.#visible);
  }

  #connect(): void {
    const socket = new WebSocket(socketUrlOf(`${API}/matches/${this.match}/socket`));
    this.#socket = socket;
    this.#said = null;
    const tooLong = setTimeout(() => this.#socket === socket && this.#drop(), SILENCE);
    socket.onopen = () => socket.send(JSON.stringify({ since: this.#seen, ...(this.token ? { token: this.token } : {}) }));
    socket.onmessage = (message) => {
      clearTimeout(tooLong);
      this.#heardAt = Date.now();
      this.#hear(JSON.parse(String(message.data)) as Message);
    };
    socket.onclose = (event) => {
      clearTimeout(tooLong);
      if (this.#socket === socket) this.#lost(event.code);
    };
  }

  #hear(message: Message): void {
    if (message.view !== undefined) {
      if (!this.#isLive) this.#isBack();
      this.#seen = message.version ?? this.#seen;
      this.shown.frame(message as Frame);
    } else if (message.answer) {
      this.#settle(message.id ?? "", message.answer);
    } else if (message.error) {
      this.#said = message.error;
      // it bears no id, but one choice is on its way at a time
      if (this.#isLive) this.#refuseAll(message.error);
    }
  }

  #isLive = false;

  #isBack(): void {
    this.#isLive = true;
    this.#wait = FIRST_WAIT;
    this.shown.connection({ state: "live", cameBack: this.#wasAway });
    this.#wasAway = false;
    for (const sent of this.#sent.values()) this.#send(sent);
  }

  #send(sent: Sent): void {
    this.#socket?.send(sent.text);
    clearTimeout(sent.late);
    sent.late = setTimeout(() => this.#isLive && this.#drop(), PATIENCE);
  }

  #lost(code: number): void {
    this.#isLive = false;
    this.#socket = null;
    if (this.#closed) return;
    if (code === REFUSED && this.#said && FINAL.has(this.#said.code)) {
      this.#closed = true;
      this.#rest();
      this.#refuseAll(this.#said);
      this.shown.connection({ state: "closed", refusal: this.#said });
      return;
    }
    this.#wasAway = true;
    const wait = this.#wait * (0.75 + Math.random() / 2);
    this.#wait = Math.min(LONGEST_WAIT, this.#wait * 2);
    this.shown.connection({ state: "away", retryAt: Date.now() + wait });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #act(action: unknown, version: number): Promise<void> {
    const id = secretId();
    const text = JSON.stringify({ id, version, act: action });
    return new Promise((resolve, reject) => {
      const sent: Sent = { text, resolve, reject, late: undefined };
      this.#sent.set(id, sent);
      if (this.#isLive) this.#send(sent);
    });
  }

  #settle(id: string, answer: Answer): void {
    const sent = this.#sent.get(id);
    if (!sent) return;
    clearTimeout(sent.late);
    this.#sent.delete(id);
    if (answer.answer === "applied" || answer.answer === "duplicate") sent.resolve();
    else sent.reject(new Refused(answer.refusal ?? { code: "stale", sentence: words.common.table.stale }, 409));
  }

  #reject(id: string, refusal: Refusal): void {
    const sent = this.#sent.get(id);
    clearTimeout(sent?.late);
    this.#sent.delete(id);
    sent?.reject(new Refused(refusal, 400));
  }

  #refuseAll(refusal: Refusal): void {
    for (const id of [...this.#sent.keys()]) this.#reject(id, refusal);
  }
}

/** Hear nothing more from a socket that another has taken the place of. */
function silence(socket: WebSocket | null): void {
  if (!socket) return;
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}
