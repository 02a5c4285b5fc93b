/** A table fed from the server's socket; it connects again by itself, hears what it missed, and repeats what was not answered. */
import { Refused, secretId } from "../api/http";
import type { Frame, Refusal } from "../api/types";
import { words } from "../text";
import type { Connection, Source } from "./table.svelte";

type Answer = { answer: "applied" | "duplicate" | "stale" | "illegal"; version: number; refusal?: Refusal };
type Message = Partial<Frame> & { id?: string; answer?: Answer; refusal?: Refusal };
type Sent = { text: string; resolve: () => void; reject: (error: Refused) => void };

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8_000;
const SILENCE = 12_000;
/** The server closes with this code after it has said why. */
const REFUSED = 1008;

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

  constructor(
    private readonly match: string,
    private readonly token: string | null,
    since: number,
    private readonly shown: Shown,
  ) {
    this.#seen = since;
    addEventListener("online", this.#now);
    addEventListener("visibilitychange", this.#visible);
    this.#connect();
  }

  get act(): Source["act"] {
    return this.token === null ? null : (action, version) => this.#act(action, version);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    removeEventListener("online", this.#now);
    removeEventListener("visibilitychange", this.#visible);
    this.#socket?.close();
    this.#refuseAll({ code: "away", sentence: words.house.serverAway });
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
    if (document.visibilityState === "visible") this.#now();
  };

  #connect(): void {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/v1/matches/${this.match}/socket`);
    this.#socket = socket;
    this.#said = null;
    const tooLong = setTimeout(() => socket.close(), SILENCE);
    socket.onopen = () => socket.send(JSON.stringify({ since: this.#seen, ...(this.token ? { token: this.token } : {}) }));
    socket.onmessage = (message) => {
      clearTimeout(tooLong);
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
    } else if (message.refusal) {
      this.#said = message.refusal;
      if (message.id) this.#reject(message.id, message.refusal);
    }
  }

  #isLive = false;

  #isBack(): void {
    this.#isLive = true;
    this.#wait = FIRST_WAIT;
    this.shown.connection({ state: "live", cameBack: this.#wasAway });
    for (const sent of this.#sent.values()) this.#socket?.send(sent.text);
  }

  #lost(code: number): void {
    this.#isLive = false;
    this.#socket = null;
    if (this.#closed) return;
    if (code === REFUSED && this.#said) {
      this.#closed = true;
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
      this.#sent.set(id, { text, resolve, reject });
      if (this.#isLive) this.#socket?.send(text);
    });
  }

  #settle(id: string, answer: Answer): void {
    const sent = this.#sent.get(id);
    if (!sent) return;
    this.#sent.delete(id);
    if (answer.answer === "applied" || answer.answer === "duplicate") sent.resolve();
    else sent.reject(new Refused(answer.refusal ?? { code: "stale", sentence: words.house.table.stale }, 409));
  }

  #reject(id: string, refusal: Refusal): void {
    this.#sent.get(id)?.reject(new Refused(refusal, 400));
    this.#sent.delete(id);
  }

  #refuseAll(refusal: Refusal): void {
    for (const id of [...this.#sent.keys()]) this.#reject(id, refusal);
  }
}
