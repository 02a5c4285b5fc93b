/** Names are what people chose: however long their words are, no table is made wider by them. */
const LONG = /\S{13,}/gu;
const PART = /(.{6})(?=.)/gu;
const ZERO_WIDTH_SPACE = "\u200b";

/** Return a text whose long words may be broken where a line ends. */
export function breakable(text: string): string {
  return text.replace(LONG, (word) => word.replace(PART, `$1${ZERO_WIDTH_SPACE}`));
}
