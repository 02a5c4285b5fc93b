/** Lines of the log, from events and the descriptions of their game. */
import type { GameName } from "../api/types";
import type { GameParts } from "../games/parts";
import { words } from "../text";
import type { LogEvent, Table } from "./table.svelte";

export type Line = { key: string; text: string; byClock: boolean };

/** The line of an event whose game has no descriptions. */
const byName = ({ event }: LogEvent<GameName>): string => words.common.plain(event.event);

export function describeEvents(log: readonly LogEvent<GameName>[], describe: GameParts["describe"], table: Table): Line[] {
  return log.flatMap((one) => {
    const text = (describe ?? byName)(one, table);
    return text === null ? [] : [{ key: one.key, text, byClock: one.byClock }];
  });
}
