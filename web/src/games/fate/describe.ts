/** Events of the game in words. */
import type { HeardEvent, Table } from "../../match/table.svelte";
import { words } from "../../text";
import { nameOf, namesOf, type Result } from "./deck";

const said = words.fate.events;

export function describe(heard: HeardEvent<"fate">, table: Table<"fate">): string | null {
  const { event } = heard;
  const check = (name: string): string => words.fate.checkName(name);
  switch (event.event) {
    case "turn_began":
      return said.turnBegan(event.turn, table.name(event.player));
    case "called":
      return said.called(check(event.check), table.name(event.player), table.name(event.caller));
    case "drawn":
      return said.drawn(table.name(event.player), nameOf(event.card));
    case "kept":
      return said.kept(table.name(event.player), namesOf(event.cards));
    case "resolved":
      return `${[said.resolved(table.name(event.player), check(event.check), event.result.total), ...verdicts(event.result)].join(", ")}.`;
    case "used":
      return said.used[event.ability]?.(table.name(event.player), event.count) ?? null;
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
