/** The views between two frames, one per event: cards change places, and no rule is evaluated. */
import type { Events } from "../../api/types";
import type { Build, Move, View } from "./draggables";

export type Event = Events["casino"];
export type MovedEvent = Extract<Event, { event: "moved" }>;
/** The view after an event, or after all events of one deal. */
export type Step = { events: Event[]; view: View };

const CAPTURES: readonly Move["kind"][] = ["capture", "two_card_capture"];

export const isCapture = (move: Move): boolean => CAPTURES.includes(move.kind);

/** Return the steps from `before` to `after`; the view of the last is `after`. */
export function displaySteps(before: View, events: readonly Event[], after: View): Step[] {
  const steps: Step[] = [];
  let view = before;
  events.forEach((event, index) => {
    const later = events.slice(index + 1);
    view = applyEvent(view, event, after, later);
    const last = steps.at(-1);
    if (last && isDeal(event) && last.events.every(isDeal)) Object.assign(last, { events: [...last.events, event], view });
    else if (event.event !== "ended") steps.push({ events: [event], view });
  });
  const last = steps.at(-1);
  if (last) last.view = after;
  return steps;
}

const isDeal = (event: Event): boolean => event.event === "dealt" || event.event === "laid";

function applyEvent(view: View, event: Event, after: View, later: readonly Event[]): View {
  switch (event.event) {
    case "moved":
      return applyMove(view, event, after);
    case "dealt":
      return event.seat === view.viewer ? { ...view, hand: event.cards } : view;
    case "laid":
      return {
        ...view,
        deal: event.deal,
        loose: [...view.loose, ...event.cards],
        hand_sizes: after.hand_sizes.map((size, seat) => size + playedBy(seat, later)),
        stock_size: after.stock_size,
      };
    case "cleared":
      if (event.seat === null) return view;
      return { ...view, loose: [], builds: [], piles: withMore(view.piles, event.seat, event.cards) };
    case "ended":
      return view;
  }
}

function applyMove(view: View, { seat, move, taken, sweep }: MovedEvent, after: View): View {
  const next: View = {
    ...view,
    hand: view.hand && seat === view.viewer ? without(view.hand, move.hand) : view.hand,
    hand_sizes: view.hand_sizes.map((size, other) => (other === seat ? size - move.hand.length : size)),
    loose: without(view.loose, move.loose),
    turn: after.turn,
  };
  if (isCapture(move)) {
    return {
      ...next,
      builds: view.builds.filter((_, place) => !move.builds.includes(place)),
      piles: withMore(view.piles, seat, taken),
      sweeps: view.sweeps.map((count, other) => (other === seat && sweep ? count + 1 : count)),
      last_capture: seat,
    };
  }
  switch (move.kind) {
    case "trail":
      return { ...next, loose: [...next.loose, ...move.hand] };
    case "extend":
      return {
        ...next,
        builds: view.builds.map((build, place) =>
          move.builds.includes(place) ? findBuild([...build.cards, ...move.hand], build.owner, after) : build,
        ),
      };
    default:
      return { ...next, builds: [...view.builds, findBuild([...move.loose, ...move.hand], seat, after)] };
  }
}

/** Return a build as `after` has it; with value 0 where it is gone by then. */
function findBuild(cards: string[], owner: number, after: View): Build {
  const same = after.builds.find((build) => build.cards.length === cards.length && cards.every((card) => build.cards.includes(card)));
  return same ?? { cards, value: 0, owner };
}

function playedBy(seat: number, events: readonly Event[]): number {
  return events.reduce((count, event) => count + (event.event === "moved" && event.seat === seat ? event.move.hand.length : 0), 0);
}

function without(cards: readonly string[], gone: readonly string[]): string[] {
  return cards.filter((card) => !gone.includes(card));
}

function withMore(piles: readonly string[][], seat: number, cards: readonly string[]): string[][] {
  return piles.map((pile, other) => (other === seat ? [...pile, ...cards] : pile));
}

/** Return loose cards in stable order: known cards first, then new ones. */
export function arrangeLoose(before: readonly string[], cards: readonly string[]): string[] {
  return [...before.filter((card) => cards.includes(card)), ...cards.filter((card) => !before.includes(card))];
}

/** Return the table cards of a move. */
export function cardsOf(move: Move, builds: readonly Build[]): string[] {
  return [...move.loose, ...move.builds.flatMap((place) => builds[place]?.cards ?? [])];
}
