/** Finds the match in a pasted text: a link, or an id. */

/** Return the id of the match that a text names, null where it names none. */
export function matchIn(text: string): string | null {
  return /(?:^|[^0-9a-f])([0-9a-f]{20})(?![0-9a-f])/i.exec(text.trim())?.[1]?.toLowerCase() ?? null;
}
