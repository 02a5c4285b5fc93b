/** The server's time, by which clocks of matches run; the device's own clock may be wrong. */

/** The `Date` header has whole seconds, so smaller differences are ignored. */
const UNSURE = 2_000;
let ahead = 0;

/** Measure how far the server's clock is ahead, from the `Date` of a response and when it was requested and received. */
export function setClock(date: string | null, sentAt: number, receivedAt: number): void {
  const serverTime = date === null ? NaN : Date.parse(date) + 500;
  if (Number.isNaN(serverTime)) return;
  const difference = serverTime - (sentAt + receivedAt) / 2;
  ahead = Math.abs(difference) < UNSURE + (receivedAt - sentAt) / 2 ? 0 : difference;
}

/** Return the server's time in milliseconds since 1970, right to a second or two. */
export function serverNow(): number {
  return Date.now() + ahead;
}
