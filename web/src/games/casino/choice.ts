/** The dialog of a drop, or of the stack, that allows several actions. */
import { nameOf, OPEN, type Action, type Dialog, type DraggedItem, type PossibleDrop, type Unavailable, type View } from "./draggables";
import { words } from "./text";

export type Choice = { title: string; message: string; actions: Action[]; unavailable: Unavailable[] };

/** Return the staging that a drop offers, about which the server has a dialog; null where it offers none. */
export function stagingOf(drop: PossibleDrop): NonNullable<Action["staging"]> | null {
  return drop.actions.find((action) => action.kind === "staging")?.staging ?? null;
}

/** Return the choice of a drop; `dialog` is the server's about the staging that it offers. */
export function dropChoice(thing: DraggedItem, drop: PossibleDrop, target: string, dialog: Dialog | null, view: View | null): Choice {
  const labels = words.draft;
  const name = nameOf(thing, view);
  const title = target === OPEN ? labels.chooseOpen(name) : labels.choose(name, nameOf(drop.target, view));
  return {
    title: dialog?.title ?? title,
    message: dialog ? `${title}: ${dialog.message}` : labels.chooseLine,
    actions: drop.actions,
    unavailable: dialog?.unavailable ?? [],
  };
}

/** Return the choice of a stack. */
export function stackChoice({ title, message, options, edit, cancel, unavailable }: Dialog): Choice {
  return { title, message, actions: [...options, edit, cancel], unavailable };
}

/** Whether the stack is discarded: after a move, out of turn, or after the game. */
export function endsStack(view: View | null, hasMoved: boolean, isOver: boolean): boolean {
  return hasMoved || !view || view.turn !== view.viewer || isOver;
}
