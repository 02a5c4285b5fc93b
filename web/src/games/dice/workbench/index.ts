import type { BenchParts } from "../bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DiceSetting } from "./setting";

export const bench: BenchParts<DiceSetting> = { tools: ["roll"], start, fits, Controls, Results };
