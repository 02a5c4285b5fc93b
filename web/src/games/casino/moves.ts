/** Moves in words, and grouped by kind. */
import { words } from "./text";
import type { Build, Move } from "./draggables";

export type MoveKind = Move["kind"];

/** The kinds of moves, in the order in which the server lists them. */
export const KINDS: readonly MoveKind[] = ["capture", "two_card_capture", "build_marriage", "build", "extend", "trail"];

/** Describe a move: "7♦ takes 3♣ and 4♥". */
export function moveInWords(move: Move, builds: readonly Build[]): string {
  const labels = words.move;
  const hand = words.joinWords(move.hand);
  const items = [...move.loose, ...move.builds.map((place) => buildInWords(builds[place]))];
  return move.kind === "trail" ? labels.trail(hand) : labels[move.kind](hand, items);
}

function buildInWords(build: Build | undefined): string {
  return words.move.build_((build?.cards ?? []).join(" "), build?.value ?? null);
}

/** Group moves by kind; with a card, only those that play it. */
export function groupMoves(moves: readonly Move[], card: string | null): { kind: MoveKind; moves: Move[] }[] {
  const candidates = card === null ? moves : moves.filter((move) => move.hand.includes(card));
  return KINDS.map((kind) => ({ kind, moves: candidates.filter((move) => move.kind === kind) })).filter((group) => group.moves.length);
}

/** Return a key that is unique in a list of moves. */
export function keyOfMove(move: Move): string {
  return [move.kind, move.hand.join("+"), move.loose.join("+"), move.builds.join("+")].join("|");
}
