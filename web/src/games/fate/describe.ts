/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";
import { words } from "./text";
import { nameOf, namesOf, type Result } from "./deck";
import { seatName } from "./names";

const said = words.events;

export function describe(heard: HeardEvent<"fate">, table: Table<"fate">): string | null {
  const { event } = heard;
  const check = (name: string): string => words.checkName(name);
  switch (event.event) {
    case "turn_began":
      return said.turnBegan(event.turn, seatName(table, event.player));
    case "called":
      return said.called(check(event.check), seatName(table, event.player), seatName(table, event.caller));
    case "drawn":
      return said.drawn(seatName(table, event.player), nameOf(event.card));
    case "kept":
      return said.kept(seatName(table, event.player), namesOf(event.cards));
    case "resolved":
      return `${[said.resolved(seatName(table, event.player), check(event.check), event.result.total), ...verdicts(event.result)].join(", ")}.`;
    case "used":
      return said.used[event.ability]?.(seatName(table, event.player), event.count) ?? null;
    case "peeked":
      return said.peeked(namesOf(event.cards));
    case "reshuffled":
      return said.reshuffled(event.size);
    case "ended":
      return said.ended;
    default:
      return null;
  }
}

function verdicts(result: Result): string[] {
  const success = result.success === null ? [] : [result.success ? said.success : said.failure];
  const trigger = result.triggered === null ? [] : [result.triggered ? said.fired : said.notFired];
  return [...success, ...trigger];
}
