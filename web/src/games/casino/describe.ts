/** Events of the game in words. */
import type { Events } from "../../api/types";
import type { LogEvent, Table } from "../../match/table.svelte";
import { words } from "./text";

type Event = Events["casino"];
export type MovedEvent = Extract<Event, { event: "moved" }>;

export function describe(entry: LogEvent<"casino">, table: Pick<Table<"casino">, "viewer" | "name">): string | null {
  const labels = words.events;
  const event = entry.event;
  /** Return the name of a seat; null for the viewer. */
  const who = (seat: number) => (seat === table.viewer ? null : table.name(seat));
  switch (event.event) {
    case "dealt":
      return event.seat === table.viewer ? labels.dealt(event.cards) : labels.dealtTo(table.name(event.seat), event.cards);
    case "laid":
      return labels.laid(event.deal, event.cards);
    case "moved":
      return describeMove(event, who(event.seat));
    case "cleared":
      if (!event.cards.length) return null;
      return event.seat === null ? labels.stays(event.cards.length) : labels.cleared(who(event.seat), event.cards.length);
    case "ended":
      return labels.ended(event.scores.map((score, seat) => labels.points(table.name(seat), score.points)));
  }
}

/** Describe a move; `who` is null for the viewer. */
export function describeMove(event: MovedEvent, who: string | null): string {
  const labels = words.events;
  const { move } = event;
  switch (move.kind) {
    case "capture":
    case "two_card_capture": {
      const taken = event.taken.filter((card) => !move.hand.includes(card));
      const line = labels.captures(who, taken, move.hand, event.marriage);
      return event.sweep ? `${line} ${labels.sweeps(who)}` : line;
    }
    case "build_marriage":
      return labels.marries(who, [...move.hand, ...move.loose]);
    case "build":
      return labels.builds(who, [...move.hand, ...move.loose]);
    case "extend":
      return labels.extends(who, move.hand);
    case "trail":
      return labels.trails(who, move.hand);
  }
}
