/** Seats with their tokens, and settings, in the browser's local storage. Nothing of it is sent to other origins. */
export type StoredSeat = {
  match: string;
  game: string;
  seat: number;
  token: string;
  name: string;
  joinedAt: number;
  /** The client seed and the server's commitment at the time of joining, for the proof afterwards. */
  seed?: string;
  commitment?: string | null;
};

const SEATS = "oddsmith.seats";
const MOST_SEATS = 200;

function read(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // without storage the match can be played; the seat is lost when the page is closed
  }
}

/** Return the seats that were taken in this browser, the latest first; entries of another shape are skipped. */
export function loadSeats(): StoredSeat[] {
  const seats = read(SEATS);
  return Array.isArray(seats) ? seats.filter(isSeat) : [];
}

const isWord = (value: unknown): boolean => typeof value === "string" && /^[\w-]+$/.test(value);

function isSeat(value: unknown): value is StoredSeat {
  if (typeof value !== "object" || value === null) return false;
  const { match, game, seat, token, name, joinedAt } = value as Partial<Record<keyof StoredSeat, unknown>>;
  const isOurs = isWord(match) && isWord(game) && isWord(token) && typeof name === "string";
  return isOurs && Number.isInteger(seat) && Number.isFinite(joinedAt);
}

export function findSeat(match: string): StoredSeat | undefined {
  return loadSeats().find((stored) => stored.match === match);
}

export function saveSeat(seat: StoredSeat): void {
  const others = loadSeats().filter((stored) => stored.match !== seat.match);
  write(SEATS, [seat, ...others].slice(0, MOST_SEATS));
}

export function removeSeat(match: string): void {
  write(
    SEATS,
    loadSeats().filter((stored) => stored.match !== match),
  );
}

/** Return a stored setting, or `otherwise` where it has another type or is none of `choices`. */
export function loadSetting<T extends string | boolean>(name: string, otherwise: T, choices?: readonly T[]): T {
  const stored = read(`oddsmith.${name}`);
  const isKind = typeof stored === typeof otherwise;
  return isKind && (choices?.includes(stored as T) ?? true) ? (stored as T) : otherwise;
}

export function saveSetting(name: string, value: unknown): void {
  write(`oddsmith.${name}`, value);
}
