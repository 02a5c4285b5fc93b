import type { BenchParts } from "../../../workbench/bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DiceSetting } from "./setting";
import { words } from "./text";

export const bench: BenchParts<DiceSetting> = { tools: ["roll"], toolNames: words.tools, start, fits, Controls, Results };
