import type { BenchParts } from "../../../workbench/bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type CasinoSetting } from "./setting";
import { words } from "./text";

export const bench: BenchParts<CasinoSetting> = { tools: ["table", "group"], toolNames: words.tools, start, fits, Controls, Results };
