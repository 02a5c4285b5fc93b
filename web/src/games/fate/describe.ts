/** Events of the game in words. */
import type { LogEvent, Table } from "../../match/table.svelte";
import { words } from "./text";
import { nameOf, namesOf, type Result } from "./deck";
import { seatName } from "./names";

const labels = words.events;

export function describe(entry: LogEvent<"fate">, table: Table<"fate">): string | null {
  const { event } = entry;
  const check = (name: string): string => words.checkName(name);
  switch (event.event) {
    case "turn_began":
      return labels.turnBegan(event.turn, seatName(table, event.player));
    case "called":
      return labels.called(check(event.check), seatName(table, event.player), seatName(table, event.caller));
    case "drawn":
      return labels.drawn(seatName(table, event.player), nameOf(event.card));
    case "kept":
      return labels.kept(seatName(table, event.player), namesOf(event.cards));
    case "resolved":
      return describeResult(labels.resolved(seatName(table, event.player), check(event.check), event.result.total), event.result);
    case "used":
      return labels.used[event.ability]?.(seatName(table, event.player), event.count) ?? null;
    case "peeked":
      return labels.peeked(namesOf(event.cards));
    case "reshuffled":
      return labels.reshuffled(event.size);
    case "ended":
      return labels.ended;
    default:
      return null;
  }
}

function describeResult(line: string, result: Result): string {
  const success = result.success === null ? [] : [result.success ? labels.success : labels.failure];
  const trigger = result.triggered === null ? [] : [result.triggered ? labels.fired : labels.notFired];
  return `${[line, ...success, ...trigger].join(", ")}.`;
}
