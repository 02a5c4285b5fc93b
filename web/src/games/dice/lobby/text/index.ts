/** Text about Dice Hands outside of its board; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
