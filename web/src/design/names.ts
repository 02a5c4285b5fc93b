/** Line breaks inside long words of names, so that no name widens a page. */
const LONGEST = 12;
const PART = /(.{6})(?=.)/gu;
const ZERO_WIDTH_SPACE = "\u200b";

/** Return a text with a zero-width space in every word of more than `longest` letters. */
export function breakable(text: string, longest = LONGEST): string {
  return text.replace(/\S+/gu, (word) => ([...word].length > longest ? word.replace(PART, `$1${ZERO_WIDTH_SPACE}`) : word));
}
