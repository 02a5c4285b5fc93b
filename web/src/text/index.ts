/** All words that people read are here, one file for each room; a translation is another object of the same shape. */
import { en } from "./en";

export type Words = typeof en;

export const words: Words = en;
