/** English phrases: counts, lists and names. */
import { breakable } from "../../design/names";

/** Longer words of names get line breaks. */
const LONGEST = 20;

/** Say how many there are: "1 card", "3 cards". */
export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Join words as people do: "A, B and C". */
export const listed = (parts: readonly (string | number)[], joint: "and" | "or" = "and"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${joint} ${parts.at(-1)}`;

/** Say a number with its sign: "+3", "−2". */
export const signed = (number: number): string => (number < 0 ? `−${-number}` : `+${number}`);

/** Say a name of the rules in the middle of a sentence: "low_road" is "low road". */
export const inWords = (name: string): string => breakable(name.replaceAll("_", " "), LONGEST);

/** Say a name of the rules at the beginning of one: "low_road" is "Low road". */
export const plainly = (name: string): string => capital(inWords(name));

/** Say a name of the rules as that of somebody or some place: "calamity_rose" is "Calamity Rose". */
export const titled = (name: string): string => breakable(name.split("_").map(capital).join(" "), LONGEST);

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
