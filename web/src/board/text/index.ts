/** Text of the default board; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
