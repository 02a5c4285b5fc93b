/** HTTP requests to this origin. Refusals and network errors are thrown as `RefusalError`, with a sentence for the user. */
import { words } from "../text";
import { urlOf } from "../urls";
import { setClock } from "./clock";
import type { Refusal } from "./types";

export const API = "/api/v1";

/** A request that the server refused, or that did not reach it (status 0). `retryAfter` is in seconds. */
export class RefusalError extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly status: number,
    readonly retryAfter: number | null = null,
  ) {
    super(refusal.sentence);
    this.name = "RefusalError";
  }

  get code(): string {
    return this.refusal.code;
  }

  /** Whether a later retry may succeed. */
  get isTransient(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Whether a retry may succeed: true for transient refusals and for unknown errors. */
export function mayRetry(error: unknown): boolean {
  return !(error instanceof RefusalError) || error.isTransient;
}

/** Whether a script or style of the page could not be loaded. The message differs between browsers and Vite. */
export function isLoadFailure(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message);
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof RefusalError) return error.refusal;
  if (isLoadFailure(error)) return { code: "unloaded", sentence: words.common.unloaded };
  return { code: "unknown", sentence: error instanceof Error ? error.message : String(error) };
}

type RequestOptions = { token?: string | undefined; signal?: AbortSignal | undefined };

export function get<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return requestJson<T>("GET", path, undefined, options);
}

export function post<T>(path: string, body: unknown, options: RequestOptions = {}): Promise<T> {
  return requestJson<T>("POST", path, body, options);
}

export async function getText(path: string, options: RequestOptions = {}): Promise<string> {
  return (await sendRequest("GET", path, undefined, options)).text();
}

async function requestJson<T>(method: string, path: string, body: unknown, options: RequestOptions): Promise<T> {
  const response = await sendRequest(method, path, body, options);
  return (await response.json()) as T;
}

async function sendRequest(method: string, path: string, body: unknown, options: RequestOptions): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (options.token) headers["authorization"] = `Bearer ${options.token}`;
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(urlOf(API + path), {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: options.signal ?? null,
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new RefusalError({ code: "away", sentence: words.common.serverAway }, 0);
  }
  setClock(response.headers.get("date"), sentAt, Date.now());
  if (!response.ok) throw await readRefusal(response);
  return response;
}

async function readRefusal(response: Response): Promise<RefusalError> {
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  try {
    const body = (await response.json()) as { error?: Refusal; refusal?: Refusal };
    const refusal = body.error ?? body.refusal;
    if (refusal) return new RefusalError(refusal, response.status, retryAfter);
  } catch {
    // the body is not JSON
  }
  return new RefusalError({ code: "unreadable", sentence: words.common.unreadable(response.status) }, response.status, retryAfter);
}

const TOO_MANY = 429;
const MOST_RETRIES = 3;
const LONGEST_WAIT_S = 10;

/**
 * Send a request that may be sent again, and wait as long as the server says where it has no time for it, up to three times.
 * A transient failure without a time is repeated once. With `onlyUnread`, a request that the server may have begun is not
 * repeated: one that must not be done twice.
 */
export async function withRetries<T>(send: () => Promise<T>, { onlyUnread = false }: { onlyUnread?: boolean } = {}): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof RefusalError && error.isTransient) || (onlyUnread && error.status !== TOO_MANY)) throw error;
      const wait = error.retryAfter ?? 0;
      if (tries >= (wait ? MOST_RETRIES : 1) || wait > LONGEST_WAIT_S) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }
}

/** Return a secret id of 128 bits. */
export function secretId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
