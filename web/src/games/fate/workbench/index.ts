import type { BenchParts } from "../bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type FateSetting } from "./setting";

export const bench: BenchParts<FateSetting> = { tools: ["check"], start, fits, Controls, Results };
