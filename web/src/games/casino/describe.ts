/** Events of the game in words. */
import type { Events } from "../../api/types";
import type { HeardEvent, Table } from "../../match/table.svelte";
import { words } from "./text";

type Event = Events["casino"];
export type Moved = Extract<Event, { event: "moved" }>;

export function describe(heard: HeardEvent<"casino">, table: Pick<Table<"casino">, "viewer" | "name">): string | null {
  const said = words.events;
  const event = heard.event;
  /** Null is the viewer, who is spoken to. */
  const who = (seat: number) => (seat === table.viewer ? null : table.name(seat));
  switch (event.event) {
    case "dealt":
      return event.seat === table.viewer ? said.dealt(event.cards) : said.dealtTo(table.name(event.seat), event.cards);
    case "laid":
      return said.laid(event.deal, event.cards);
    case "moved":
      return describeMove(event, who(event.seat));
    case "cleared":
      if (!event.cards.length) return null;
      return event.seat === null ? said.stays(event.cards.length) : said.cleared(who(event.seat), event.cards.length);
    case "ended":
      return said.ended(event.scores.map((score, seat) => said.points(table.name(seat), score.points)));
  }
}

/** Say what a seat did; null is the viewer. */
export function describeMove(event: Moved, who: string | null): string {
  const said = words.events;
  const { move } = event;
  switch (move.kind) {
    case "capture":
    case "two_card_capture": {
      const taken = event.taken.filter((card) => !move.hand.includes(card));
      const line = said.captures(who, taken, move.hand, event.marriage);
      return event.sweep ? `${line} ${said.sweeps(who)}` : line;
    }
    case "build_marriage":
      return said.marries(who, [...move.hand, ...move.loose]);
    case "build":
      return said.builds(who, [...move.hand, ...move.loose]);
    case "extend":
      return said.extends(who, move.hand);
    case "trail":
      return said.trails(who, move.hand);
  }
}
