import type { WorkbenchParts } from "../../../workbench/workbench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DiceSetting } from "./setting";
import { words } from "./text";

export const workbench: WorkbenchParts<DiceSetting> = { tools: ["roll"], toolNames: words.tools, start, fits, Controls, Results };
