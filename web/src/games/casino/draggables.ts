/** Things that can be dragged, targets of drops, and their keys in the page. */
import type { Schema } from "../../api/types";
import { words } from "./text";

export type View = Schema<"casino.View">;
export type Move = Schema<"casino.Move">;
export type Build = Schema<"casino.Build">;
export type Staging = Schema<"casino.StagingShown">;
/** The stack of another player, as everybody sees it. */
export type StagedView = Schema<"casino.StagedView">;
export type DraggedItem = Schema<"casino.HandCard"> | Schema<"casino.LooseCard"> | Schema<"casino.BuildItem">;
export type Target = Schema<"casino.PossibleDrop">["target"];
export type PossibleDrop = Schema<"casino.PossibleDrop">;
export type Action = Schema<"casino.Action">;
export type Dialog = Schema<"casino.Dialog">;
export type Unavailable = Schema<"casino.Unavailable">;

export const OPEN = "open";
export const STACK = "stack";

export const handCard = (card: string): DraggedItem => ({ thing: "hand_card", card });
export const looseCard = (card: string): DraggedItem => ({ thing: "loose_card", card });
export const buildAt = (place: number): DraggedItem => ({ thing: "build", place });

/** Return the key of a thing in `data-drop` and in drop tables. */
export function keyOf(thing: DraggedItem | Target): string {
  switch (thing.thing) {
    case "hand_card":
      return `hand:${thing.card}`;
    case "loose_card":
      return `loose:${thing.card}`;
    case "build":
      return `build:${thing.place}`;
    case "stack":
      return STACK;
    case "open_area":
      return OPEN;
  }
}

/** Return everything that can be dragged: hand, loose cards and builds that are not in the stack. */
export function draggables(view: View, stack: Staging | null): DraggedItem[] {
  const things = [...(view.hand ?? []).map(handCard), ...view.loose.map(looseCard), ...view.builds.map((_, place) => buildAt(place))];
  return stack ? things.filter((thing) => !isStaged(thing, stack)) : things;
}

export function isStaged(thing: DraggedItem, stack: Staging | null): boolean {
  if (!stack) return false;
  switch (thing.thing) {
    case "hand_card":
      return stack.hand.includes(thing.card);
    case "loose_card":
      return stack.loose.includes(thing.card);
    case "build":
      return stack.builds.includes(thing.place);
  }
}

/** Return the things of a stack: table items first, then hand cards. */
export function stagedThings(stack: Staging): DraggedItem[] {
  return [...stack.loose.map(looseCard), ...stack.builds.map(buildAt), ...stack.hand.map(handCard)];
}

/** Return the short name of a thing: "4♦", "the build of 9". */
export function nameOf(thing: DraggedItem | Target, view: View | null): string {
  switch (thing.thing) {
    case "hand_card":
    case "loose_card":
      return thing.card;
    case "build":
      return words.draft.buildNamed(view?.builds[thing.place]?.value ?? null);
    case "stack":
      return words.draft.stack;
    case "open_area":
      return words.draft.open;
  }
}

export type Light = "move" | "stack" | null;

/** Return how a target is highlighted: for a move, for staging alone, or not at all. */
export function lightOf(drop: PossibleDrop | undefined): Light {
  if (!drop || !drop.actions.length) return null;
  return drop.actions.some((action) => action.move) ? "move" : "stack";
}

/** Return a short label of what a drop would do. */
export function meaningOf(drop: PossibleDrop | undefined): string {
  if (!drop || !drop.actions.length) return "";
  const moves = drop.actions.filter((action) => action.move);
  if (moves.length > 1) return words.meant.choices(moves.length);
  return words.meant[(moves[0] ?? drop.actions[0]!).kind];
}

/** Return the only action of a drop that needs no choice: the move, or else the staging. */
export function onlyAction(drop: PossibleDrop): Action | null {
  if (drop.needs_choice) return null;
  return drop.actions.find((action) => action.move) ?? drop.actions.find((action) => action.kind === "staging") ?? null;
}
