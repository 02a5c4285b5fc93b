/** Words that people read; those of a game are in its folder, `text/en.ts` beside the code that says them. A translation is another object of the same shape. */
import { en } from "./en";

export type Words = typeof en;

export const words: Words = en;
