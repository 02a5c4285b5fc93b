/** What was heard, in the words of its game; what needs none is left out. */
import type { GameName } from "../api/types";
import type { GameParts } from "../games/parts";
import type { HeardEvent, Table } from "./table.svelte";

export type Line = { key: string; text: string; byClock: boolean };

export function lined(heard: readonly HeardEvent<GameName>[], describe: GameParts["describe"], table: Table): Line[] {
  return heard.flatMap((one) => {
    const text = describe(one, table);
    return text === null ? [] : [{ key: one.key, text, byClock: one.byClock }];
  });
}
