/** What this browser keeps for its user: seats, with their tokens, and settings. Nothing here is ever sent elsewhere. */
import type { GameName } from "./types";

export type KeptSeat = {
  match: string;
  game: GameName;
  seat: number;
  token: string;
  name: string;
  joinedAt: number;
  /** What this browser added to the luck of the match, and what the server was bound to when it joined: for the proof afterwards. */
  seed?: string;
  commitment?: string | null;
};

const SEATS = "oddsmith.seats";
const MOST_SEATS = 200;

function read<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing still plays: the seat is lost when the page is closed
  }
}

/** Return the seats that were taken in this browser, the latest first. */
export function keptSeats(): KeptSeat[] {
  const seats = read<unknown>(SEATS, []);
  return Array.isArray(seats) ? (seats as KeptSeat[]) : [];
}

export function seatOf(match: string): KeptSeat | undefined {
  return keptSeats().find((kept) => kept.match === match);
}

export function keepSeat(seat: KeptSeat): void {
  const others = keptSeats().filter((kept) => kept.match !== seat.match);
  write(SEATS, [seat, ...others].slice(0, MOST_SEATS));
}

export function forgetSeat(match: string): void {
  write(
    SEATS,
    keptSeats().filter((kept) => kept.match !== match),
  );
}

export function keptSetting<T>(name: string, otherwise: T): T {
  return read(`oddsmith.${name}`, otherwise);
}

export function keepSetting(name: string, value: unknown): void {
  write(`oddsmith.${name}`, value);
}
