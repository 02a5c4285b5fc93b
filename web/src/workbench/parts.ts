/** The workbenches of the games, each loaded when it is opened. */
import type { GameName } from "../api/types";
import type { BenchParts } from "./bench.svelte";

/** A bench is only ever given settings that are its own: `any` stands for those. */
export const BENCHES: Record<GameName, () => Promise<{ bench: BenchParts<any> }>> = {
  destiny: () => import("./destiny"),
  duel: () => import("./duel"),
  dice: () => import("./dice"),
  fate: () => import("./fate"),
  casino: () => import("./casino"),
};
