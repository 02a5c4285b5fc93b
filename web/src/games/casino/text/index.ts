/** Text of the board of Casino; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
