/** Sends an action and keeps the keyboard focus where the player was. */
import { tick } from "svelte";
import type { Table } from "../../match/table.svelte";
import type { Action } from "./choices";

/** Send an action; the keyboard focus stays on its control while it is there, or goes to the first panel that is. */
export async function actKeepingFocus(table: Table<"fate">, action: Action, panel: HTMLElement | undefined): Promise<void> {
  const focused = document.activeElement;
  const before = focused instanceof HTMLElement && panel?.contains(focused) ? focused : null;
  await table.act(action);
  await tick();
  if (!before || (before.isConnected && document.activeElement === before)) return;
  if (before.isConnected && !before.matches(":disabled")) before.focus({ preventScroll: true });
  else document.querySelector<HTMLElement>(".fate-table .next-step")?.focus({ preventScroll: true });
}
