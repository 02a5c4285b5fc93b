/** Text of question forms; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
