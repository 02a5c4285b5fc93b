/** Verification of a record: the server replays it, and the browser checks the seeds itself. */
import { post } from "../api/http";
import type { StoredSeat } from "../api/storage";
import type { Schema } from "../api/types";

export type Verification = Schema<"VerifyReply">;
export type Check = { what: "seed" | "commitment" | "mine"; holds: boolean };

export const verifyRecord = (record: string, commitment: string | null): Promise<Verification> =>
  post("/records/verify", { record, commitment });

/** Return the SHA-256 of hexadecimal bytes; null without a secure context, where the browser has no digest. */
export async function sha256(hexadecimal: string): Promise<string | null> {
  if (!globalThis.crypto?.subtle) return null;
  const bytes = Uint8Array.from(hexadecimal.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Check that the seed fits the commitment, and that both are those that this browser stored when it joined. */
export async function checkLocally(verification: Verification, stored: StoredSeat | undefined): Promise<Check[]> {
  const { seal } = verification;
  if (!seal) return [];
  const checks: Check[] = [];
  if (seal.server_seed !== null) {
    const digest = await sha256(seal.server_seed);
    if (digest !== null) checks.push({ what: "seed", holds: digest === seal.commitment });
  }
  if (stored?.commitment) checks.push({ what: "commitment", holds: stored.commitment === seal.commitment });
  if (stored?.seed) checks.push({ what: "mine", holds: seal.client_seeds[stored.seat] === stored.seed });
  return checks;
}
