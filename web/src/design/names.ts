/** Names are what people chose, or wrote into rules: however long their words are, no table is made wider by them. */
const LONGEST = 12;
const PART = /(.{6})(?=.)/gu;
const ZERO_WIDTH_SPACE = "\u200b";

/** Return a text whose long words may be broken where a line ends. */
export function breakable(text: string, longest = LONGEST): string {
  return text.replace(/\S+/gu, (word) => ([...word].length > longest ? word.replace(PART, `$1${ZERO_WIDTH_SPACE}`) : word));
}
