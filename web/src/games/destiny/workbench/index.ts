import type { BenchParts } from "../../../workbench/bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DestinySetting } from "./setting";
import { words } from "./text";

export const bench: BenchParts<DestinySetting> = {
  tools: ["check", "contest", "gang"],
  toolNames: words.tools,
  start,
  fits,
  Controls,
  Results,
};
