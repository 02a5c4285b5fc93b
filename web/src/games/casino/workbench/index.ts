import type { BenchParts } from "../bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type CasinoSetting } from "./setting";

export const bench: BenchParts<CasinoSetting> = { tools: ["table", "group"], start, fits, Controls, Results };
