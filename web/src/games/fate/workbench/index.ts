import type { WorkbenchParts } from "../../../workbench/workbench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type FateSetting } from "./setting";
import { words } from "./text";

export const workbench: WorkbenchParts<FateSetting> = { tools: ["check"], toolNames: words.tools, start, fits, Controls, Results };
