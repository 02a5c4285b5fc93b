/** The fighters of a duel are corners 0 and 1: which one the viewer looks from, and what is known of each. */
import type { Schema } from "../../api/types";
import type { LogEvent, Table } from "../../match/table.svelte";
import type { FighterName } from "./questions";
import { splitOf, type Draft, type Sides } from "./splits";

export type Corner = 0 | 1;
export type View = Schema<"duel.View">;
export type SideView = Schema<"duel.SideView">;

/** Return the view of a duel of two; null before it begins, and where teams fight. */
export function viewOf(table: Table<"duel">): View | null {
  const { view } = table;
  return view?.type === "team" ? null : view;
}

/** Return the corner on the near side of the table: the viewer's, or the first. */
export function nearCorner(viewer: number | null): Corner {
  return viewer === 1 ? 1 : 0;
}

export function otherCorner(corner: Corner): Corner {
  return corner === 0 ? 1 : 0;
}

export function fighterName(corner: number, isHouse: boolean): FighterName {
  if (corner === 0) return "player";
  return isHouse ? "house" : "rival";
}

export function hitPoints(view: View): readonly [number, number] {
  return [view.sides[0].hp, view.sides[1].hp];
}

/** Return the hand and the defence of a side whose cards lie open; null where they are hidden, or not final. */
export function openSplit(side: SideView, isOver: boolean): { hand: readonly string[]; defense: Draft } | null {
  if (!side.hand?.length || !side.defense || !(side.committed || isOver)) return null;
  return { hand: side.hand, defense: side.defense };
}

/** Return the split of the house as the last `readied` event has it; null where that event is about other cards. */
export function readiedSides(log: readonly LogEvent<"duel">[], hand: readonly string[], defense: Draft): Sides | null {
  const readied = log.findLast(({ event }) => event.event === "readied")?.event;
  if (readied?.event !== "readied") return null;
  const cards = [...readied.attack.cards, ...readied.defense.cards];
  const isSame = cards.every((card) => hand.includes(card)) && readied.defense.cards.length === defense.length;
  return isSame ? { attack: readied.attack, defense: readied.defense } : null;
}

/** Return what both sides of an open split come to: from the log, or from the splits that the server listed for the hand. */
export function openSides(side: SideView, isOver: boolean, log: readonly LogEvent<"duel">[], splits: readonly Sides[]): Sides | null {
  const open = openSplit(side, isOver);
  return open && (readiedSides(log, open.hand, open.defense) ?? splitOf(splits, open.hand, open.defense));
}
