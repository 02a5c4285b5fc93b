/** Text of the workbench of Dice Hands; a translation is another file of the same shape. */
import { en } from "./en";

export const words: typeof en = en;
