/** The WebSocket of a match. It reconnects by itself, fetches missed events, and sends unanswered actions again. */
import { API, RefusalError, secretId } from "../api/http";
import type { Frame, Refusal, Schema } from "../api/types";
import { words } from "../text";
import { socketUrlOf } from "../urls";
import type { Connection, ShownDraft, Source } from "./table.svelte";

type Answer = Schema<"Applied" | "Duplicate" | "StaleAnswer" | "Illegal">;
type Message = Partial<Frame> & {
  id?: string;
  answer?: Answer;
  error?: Refusal;
  retry_after?: number;
  seat?: number;
  draft?: unknown;
};
type PendingAction = {
  text: string;
  resolve: () => void;
  reject: (error: RefusalError) => void;
  timer: ReturnType<typeof setTimeout> | undefined;
  refusals: number;
};

/** How often an action is sent again that the server has no time for. */
const MOST_REFUSALS = 3;
const FIRST_RETRY_MS = 400;
const LONGEST_RETRY_MS = 8_000;
const CONNECT_TIMEOUT_MS = 12_000;
/** After this time without a reply to an action, the connection is dropped. */
const REPLY_TIMEOUT_MS = 10_000;
/** After this time without messages, a new connection replaces the present one. */
const IDLE_TIMEOUT_MS = 60_000;
const IDLE_CHECK_MS = 10_000;
/** The close code of the server after an error message. */
const POLICY_VIOLATION = 1008;
/** Refusals after which a reconnect is useless. */
const FINAL = new Set(["bad_token", "unknown_match", "mechanic_missing", "mechanic_changed", "mechanic_failed", "mechanic_stuck"]);

/** Callbacks for new frames, drafts of seats, and changes of the connection. */
export type LiveHandlers = {
  frame: (frame: Frame) => void;
  draft: (shown: ShownDraft) => void;
  connection: (connection: Connection) => void;
};

export class Live implements Source {
  #socket: WebSocket | null = null;
  #pending = new Map<string, PendingAction>();
  #version: number;
  #retryDelay = FIRST_RETRY_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastError: Refusal | null = null;
  /** How long the server asked to wait, with the last error of this connection. */
  #toldToWait = 0;
  #wasAway = false;
  #closed = false;
  #lastMessageAt = Date.now();
  #idleCheck: ReturnType<typeof setInterval>;

  constructor(
    private readonly match: string,
    private readonly token: string | null,
    since: number,
    private readonly handlers: LiveHandlers,
  ) {
    this.#version = since;
    addEventListener("online", this.#connectNow);
    addEventListener("offline", this.#onOffline);
    addEventListener("visibilitychange", this.#onVisible);
    this.#idleCheck = setInterval(() => this.#checkIdle(), IDLE_CHECK_MS);
    this.#connect();
  }

  get act(): Source["act"] {
    return this.token === null ? null : (action, version) => this.#act(action, version);
  }

  /** Show a draft to all viewers; it is not sent again, and its answer is ignored. */
  showDraft(draft: unknown, version: number): void {
    if (this.#isLive && this.token !== null) this.#socket?.send(JSON.stringify({ id: secretId(), version, draft }));
  }

  close(): void {
    this.#closed = true;
    this.#stop();
    this.#socket?.close();
    this.#refuseAll({ code: "away", sentence: words.common.serverAway });
  }

  /** Connect now instead of after the delay. */
  retry(): void {
    this.#connectNow();
  }

  #connectNow = (): void => {
    if (this.#closed || (this.#socket && this.#socket.readyState <= WebSocket.OPEN)) return;
    clearTimeout(this.#timer);
    this.#connect();
  };

  #onVisible = (): void => {
    if (document.visibilityState !== "visible") return;
    this.#connectNow();
    this.#checkIdle();
  };

  #onOffline = (): void => {
    if (this.#socket) this.#drop();
  };

  /** Reconnect after a time without messages: neither side may notice that the connection is dead. */
  #checkIdle(): void {
    if (document.visibilityState !== "visible" || !this.#isLive || Date.now() - this.#lastMessageAt < IDLE_TIMEOUT_MS) return;
    const idle = this.#socket;
    this.#isLive = false;
    this.#connect();
    discard(idle);
  }

  /** Drop a connection that does not respond, without waiting for its close event. */
  #drop(): void {
    const dead = this.#socket;
    this.#onClosed(0);
    discard(dead);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearInterval(this.#idleCheck);
    removeEventListener("online", this.#connectNow);
    removeEventListener("offline", this.#onOffline);
    removeEventListener("visibilitychange", this.#onVisible);
  }

  #connect(): void {
    const socket = new WebSocket(socketUrlOf(`${API}/matches/${this.match}/socket`));
    this.#socket = socket;
    this.#lastError = null;
    this.#toldToWait = 0;
    const timeout = setTimeout(() => this.#socket === socket && this.#drop(), CONNECT_TIMEOUT_MS);
    socket.onopen = () => socket.send(JSON.stringify({ since: this.#version, ...(this.token ? { token: this.token } : {}) }));
    socket.onmessage = (message) => {
      clearTimeout(timeout);
      this.#lastMessageAt = Date.now();
      this.#receive(JSON.parse(String(message.data)) as Message);
    };
    socket.onclose = (event) => {
      clearTimeout(timeout);
      if (this.#socket === socket) this.#onClosed(event.code);
    };
  }

  #receive(message: Message): void {
    if (message.view !== undefined) {
      if (!this.#isLive) this.#onConnected();
      this.#version = message.version ?? this.#version;
      this.handlers.frame(message as Frame);
    } else if (message.draft !== undefined) {
      this.handlers.draft(message as ShownDraft);
    } else if (message.answer) {
      this.#settle(message.id ?? "", message.answer);
    } else if (message.error) {
      this.#lastError = message.error;
      this.#toldToWait = 1000 * (message.retry_after ?? 0);
      // errors have no id, but only one action is pending at a time
      if (!this.#isLive) return;
      if (this.#toldToWait) this.#sendLater(this.#toldToWait, message.error);
      else this.#refuseAll(message.error);
    }
  }

  #isLive = false;

  #onConnected(): void {
    this.#isLive = true;
    this.#retryDelay = FIRST_RETRY_MS;
    this.handlers.connection({ state: "live", cameBack: this.#wasAway });
    this.#wasAway = false;
    for (const pending of this.#pending.values()) this.#send(pending);
  }

  #send(pending: PendingAction): void {
    this.#socket?.send(pending.text);
    clearTimeout(pending.timer);
    pending.timer = setTimeout(() => this.#isLive && this.#drop(), REPLY_TIMEOUT_MS);
  }

  /** Send unanswered actions again, under the same ids, once the server may have time for them; refuse them at last. */
  #sendLater(wait: number, refusal: Refusal): void {
    for (const [id, pending] of [...this.#pending]) {
      clearTimeout(pending.timer);
      pending.refusals += 1;
      if (pending.refusals > MOST_REFUSALS) this.#reject(id, refusal);
      else pending.timer = setTimeout(() => this.#isLive && this.#send(pending), wait);
    }
  }

  #onClosed(code: number): void {
    this.#isLive = false;
    this.#socket = null;
    if (this.#closed) return;
    if (code === POLICY_VIOLATION && this.#lastError && FINAL.has(this.#lastError.code)) {
      this.#closed = true;
      this.#stop();
      this.#refuseAll(this.#lastError);
      this.handlers.connection({ state: "closed", refusal: this.#lastError });
      return;
    }
    this.#wasAway = true;
    const wait = Math.max(this.#toldToWait, this.#retryDelay * (0.75 + Math.random() / 2));
    this.#retryDelay = Math.min(LONGEST_RETRY_MS, this.#retryDelay * 2);
    this.handlers.connection({ state: "away", retryAt: Date.now() + wait });
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  #act(action: unknown, version: number): Promise<void> {
    const id = secretId();
    const text = JSON.stringify({ id, version, act: action });
    return new Promise((resolve, reject) => {
      const pending: PendingAction = { text, resolve, reject, timer: undefined, refusals: 0 };
      this.#pending.set(id, pending);
      if (this.#isLive) this.#send(pending);
    });
  }

  #settle(id: string, answer: Answer): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    if (answer.answer === "applied" || answer.answer === "duplicate") pending.resolve();
    else pending.reject(new RefusalError(answer.refusal ?? { code: "stale", sentence: words.common.table.stale }, 409));
  }

  #reject(id: string, refusal: Refusal): void {
    const pending = this.#pending.get(id);
    clearTimeout(pending?.timer);
    this.#pending.delete(id);
    pending?.reject(new RefusalError(refusal, 400));
  }

  #refuseAll(refusal: Refusal): void {
    for (const id of [...this.#pending.keys()]) this.#reject(id, refusal);
  }
}

/** Close a replaced socket, and ignore its events. */
function discard(socket: WebSocket | null): void {
  if (!socket) return;
  socket.onopen = socket.onmessage = socket.onclose = null;
  socket.close();
}
