import type { BenchParts } from "../bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DuelSetting } from "./setting";

export const bench: BenchParts<DuelSetting> = { tools: ["duel", "split"], start, fits, Controls, Results };
