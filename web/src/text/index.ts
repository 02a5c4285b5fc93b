/** The text of the client; that of a game is in `text/en.ts` of its folder. A translation is another object of the same shape. */
import { en } from "./en";

export type Words = typeof en;

export const words: Words = en;
