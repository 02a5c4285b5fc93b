/** Keyboard shortcuts; none in text fields, dialogs, or controls that use the key. */
export type Shortcut = "reroll" | "score" | { toggle: number };

type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "repeat" | "defaultPrevented" | "target">;

/** Return the shortcut of a key press; null where there is none. */
export function shortcutOf(event: KeyPress): Shortcut | null {
  if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return null;
  const at = event.target instanceof Element ? event.target : null;
  if (at?.closest("input:not([type=checkbox]), select, textarea, [contenteditable], dialog")) return null;
  if (event.key === "Enter") return at?.closest("button, a, input, summary, [tabindex='0']") ? null : "score";
  const key = event.key.toLowerCase();
  if (key === "r") return "reroll";
  if (key === "s") return "score";
  return /^\d$/.test(key) ? { toggle: (Number(key) + 9) % 10 } : null;
}
