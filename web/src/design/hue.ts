/** The colours of a game without its own: a hue that follows from its name. */

/** Return a hue from 0 to 359 for a name; the same for each visit. */
export function hueOf(name: string): number {
  let hash = 2166136261;
  for (const letter of name) hash = Math.imul(hash ^ letter.codePointAt(0)!, 16777619) >>> 0;
  return hash % 360;
}
