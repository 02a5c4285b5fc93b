/** Words of the form for any question; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
