/** Requests to our own origin, and nobody else's; whatever goes wrong is a refusal with a sentence. */
import { words } from "../text";
import { urlOf } from "../urls";
import { setClock } from "./clock";
import type { Refusal } from "./types";

export const API = "/api/v1";

/** What was asked for was refused, by the server or because it could not be reached. */
export class Refused extends Error {
  constructor(
    readonly refusal: Refusal,
    readonly status: number,
    readonly retryAfter: number | null = null,
  ) {
    super(refusal.sentence);
    this.name = "Refused";
  }

  get code(): string {
    return this.refusal.code;
  }

  /** Whether asking again later may help. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** Say whether it may help to ask the same again. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof Refused) || error.isPassing;
}

/** Say whether a part of the page itself could not be loaded: each browser, and Vite, has its own words for that. */
export function isUnloaded(error: unknown): boolean {
  return error instanceof Error && /dynamically imported module|module script|preload CSS/i.test(error.message);
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refused) return error.refusal;
  if (isUnloaded(error)) return { code: "unloaded", sentence: words.common.unloaded };
  return { code: "unknown", sentence: error instanceof Error ? error.message : String(error) };
}

type Asking = { token?: string | undefined; signal?: AbortSignal | undefined };

export function get<T>(path: string, asking: Asking = {}): Promise<T> {
  return asked<T>("GET", path, undefined, asking);
}

export function post<T>(path: string, body: unknown, asking: Asking = {}): Promise<T> {
  return asked<T>("POST", path, body, asking);
}

export async function getText(path: string, asking: Asking = {}): Promise<string> {
  return (await answered("GET", path, undefined, asking)).text();
}

async function asked<T>(method: string, path: string, body: unknown, asking: Asking): Promise<T> {
  const response = await answered(method, path, body, asking);
  return (await response.json()) as T;
}

async function answered(method: string, path: string, body: unknown, asking: Asking): Promise<Response> {
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["content-type"] = "application/json";
  if (asking.token) headers["authorization"] = `Bearer ${asking.token}`;
  const askedAt = Date.now();
  let response: Response;
  try {
    response = await fetch(urlOf(API + path), {
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
      signal: asking.signal ?? null,
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused({ code: "away", sentence: words.common.serverAway }, 0);
  }
  setClock(response.headers.get("date"), askedAt, Date.now());
  if (!response.ok) throw await refusedBy(response);
  return response;
}

async function refusedBy(response: Response): Promise<Refused> {
  const retryAfter = Number(response.headers.get("retry-after")) || null;
  try {
    const said = (await response.json()) as { error?: Refusal; refusal?: Refusal };
    const refusal = said.error ?? said.refusal;
    if (refusal) return new Refused(refusal, response.status, retryAfter);
  } catch {
    // what is no JSON has no refusal: the sentence below stands for it
  }
  return new Refused({ code: "unreadable", sentence: words.common.unreadable(response.status) }, response.status, retryAfter);
}

/** Return a secret id of 128 bits. */
export function secretId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
