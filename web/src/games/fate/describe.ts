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
      return labels.story(
        labels.called(check(event.check), seatName(table, event.player), seatName(table, event.caller)),
        table.rules.checks[event.check]?.story ?? "",
      );
    case "drawn":
      return labels.drawn(seatName(table, event.player), nameOf(event.card));
    case "kept":
      return labels.kept(seatName(table, event.player), namesOf(event.cards));
    case "resolved":
      return labels.story(
        describeResult(labels.resolved(seatName(table, event.player), check(event.check), event.result.total), event.result, stakes(event)),
        told(table, event.check, event.result.success),
      );
    case "talent_fired":
      return labels.talentFired(seatName(table, event.player), words.talents.name(event.talent), table.rules.talents[event.talent]?.sentence ?? "");
    case "effect":
      return labels.effects[event.kind]?.(event.amount, seatName(table, event.player), seatName(table, event.other ?? event.player)) ?? null;
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

/** Return what a result counted, where more than one success is counted or health is played. */
function stakes({ gained = 0, health = 0 }: { gained?: number; health?: number }): string[] {
  return [...(gained > 1 ? [labels.gained(gained)] : []), ...(health ? [labels.health(health)] : [])];
}

/** Return the sentence that a check has for its result. */
function told(table: Table<"fate">, name: string, success: boolean | null): string {
  const kind = table.rules.checks[name];
  return (success === null ? "" : success ? kind?.won : kind?.lost) ?? "";
}

function describeResult(line: string, result: Result, counted: readonly string[]): string {
  const success = result.success === null ? [] : [result.success ? labels.success : labels.failure];
  const trigger = result.triggered === null ? [] : [result.triggered ? labels.fired : labels.notFired];
  return `${[line, ...success, ...trigger, ...counted].join(", ")}.`;
}
