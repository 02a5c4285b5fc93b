/** Settings of wild dice, and the best one. */
import type { View, WaysReply } from "./questions";
import { dieText } from "./questions";
import type { Action, WildSet } from "./action_queue.svelte";

export type Way = { faces: number[]; sets: WildSet[] };

const MOST_WAYS = 300;

/** Return the places of the wild dice that can be set now. */
export function settable(actions: Action[]): number[] {
  return [...new Set(actions.flatMap((action) => (action.type === "set_wild" ? [action.place] : [])))];
}

/** Return all settings of the wild dice, equal dice in one order only; none where there are too many. */
export function wildWays(view: View, actions: Action[]): Way[] {
  const places = settable(actions);
  const alike = new Set(places.map((place) => dieText(view.build.dice[place]!))).size === 1;
  let sets: WildSet[][] = places.length ? [[]] : [];
  for (const place of places) {
    const faces = facesOf(place, view, actions);
    sets = sets.flatMap((before) =>
      faces.filter((face) => !alike || face >= (before.at(-1)?.face ?? 0)).map((face) => [...before, { place, face }]),
    );
    if (sets.length > MOST_WAYS) return [];
  }
  return sets.map((some) => ({
    faces: view.faces.map((face, place) => some.find((one) => one.place === place)?.face ?? face),
    sets: some.filter((one) => view.faces[one.place] !== one.face),
  }));
}

/** Return the faces that a wild die may show. */
function facesOf(place: number, view: View, actions: Action[]): number[] {
  const set = actions.flatMap((action) => (action.type === "set_wild" && action.place === place ? [action.face] : []));
  return [...new Set([view.faces[place]!, ...set])].sort((one, other) => one - other);
}

/** Return the setting with the highest score; of equal ones, that with the fewest set dice. */
export function bestWay(ways: Way[], reply: WaysReply): { way: Way; total: number } | null {
  const scored = ways.map((way, index) => ({ way, total: reply.answers[index]?.score.total ?? 0 }));
  return scored.toSorted((one, other) => other.total - one.total || one.way.sets.length - other.way.sets.length)[0] ?? null;
}
