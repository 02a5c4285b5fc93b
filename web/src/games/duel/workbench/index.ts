import type { BenchParts } from "../../../workbench/bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DuelSetting } from "./setting";
import { words } from "./text";

export const bench: BenchParts<DuelSetting> = { tools: ["duel", "split"], toolNames: words.tools, start, fits, Controls, Results };
