/** What time it is for the server, whose clock decides; a device whose own goes wrong still shows the right time that is left. */

/** The server tells whole seconds: what differs by less is no difference. */
const UNSURE = 2_000;
let ahead = 0;

/** Learn from an answer how far the server's clock is ahead of ours: its `Date`, and when it was asked and answered. */
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
