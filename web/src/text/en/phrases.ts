/** English phrases: counts, lists and names. */
import { breakable } from "../../design/names";

/** Words of names that are longer may be broken. */
const LONGEST = 20;

/** Format a count with its noun: "1 card", "3 cards". */
export const formatCount = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;

/** Join words: "A, B and C". */
export const joinWords = (parts: readonly (string | number)[], joint: "and" | "or" = "and"): string =>
  parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} ${joint} ${parts.at(-1)}`;

/** Format a number with its sign: "+3", "−2". */
export const formatSigned = (number: number): string => (number < 0 ? `−${-number}` : `+${number}`);

/** Format a name of the rules for the middle of a sentence: "low_road" is "low road". */
export const spaceName = (name: string): string => breakable(name.replaceAll("_", " "), LONGEST);

/** Format a name of the rules for the start of a sentence: "low_road" is "Low road". */
export const capitalizeName = (name: string): string => capitalize(spaceName(name));

/** Format a name of the rules as a proper name: "calamity_rose" is "Calamity Rose". */
export const titleName = (name: string): string => breakable(name.split("_").map(capitalize).join(" "), LONGEST);

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
