/** Keyboard shortcuts of the default board; none in text fields, dialogs, or controls that use the key. */
export type Shortcut = { control: number } | { move: 1 | -1 };

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "repeat" | "defaultPrevented" | "target">;

/** Return the shortcut of a key press; null where there is none. */
export function shortcutOf(event: KeyPress): Shortcut | null {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return null;
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest("input:not([type=checkbox]), select, textarea, [contenteditable], dialog, .log")) return null;
  if (event.key === "ArrowRight" || event.key === "ArrowDown") return { move: 1 };
  if (event.key === "ArrowLeft" || event.key === "ArrowUp") return { move: -1 };
  return /^\d$/.test(event.key) && !event.repeat ? { control: (Number(event.key) + 9) % 10 } : null;
}

/** Return the digit of a control by its place; null after the tenth. */
export function digitOf(place: number): string | null {
  return place < 10 ? String((place + 1) % 10) : null;
}
