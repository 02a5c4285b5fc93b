/** Ranks moves: points first, then what they expose to the next player. Comparisons are exact. */
import { compareExact } from "../../design/numbers";
import type { ListedMove, OddsReply } from "./questions";
import { keyOfMove } from "./moves";

export type RankedMove = { odds: OddsReply["moves"][number]; gain: ListedMove["gain"] | null };

/** Return the moves with gain and exposure, the best first. */
export function rankMoves(odds: OddsReply["moves"], gains: readonly ListedMove[]): RankedMove[] {
  const gainByMove = new Map(gains.map((entry) => [keyOfMove(entry.move), entry.gain]));
  return odds.map((move) => ({ odds: move, gain: gainByMove.get(keyOfMove(move.exposure.move)) ?? null })).sort(compareMoves);
}

function compareMoves(one: RankedMove, other: RankedMove): number {
  return (
    (other.gain?.points ?? 0) - (one.gain?.points ?? 0) ||
    compareExact(one.odds.exposure.sweep, other.odds.exposure.sweep) ||
    compareExact(one.odds.exposure.capture, other.odds.exposure.capture) ||
    (other.gain?.cards ?? 0) - (one.gain?.cards ?? 0) ||
    one.odds.number - other.odds.number
  );
}
