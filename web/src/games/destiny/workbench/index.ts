import type { BenchParts } from "../bench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DestinySetting } from "./setting";

export const bench: BenchParts<DestinySetting> = { tools: ["check", "contest", "gang"], start, fits, Controls, Results };
