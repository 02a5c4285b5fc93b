import type { WorkbenchParts } from "../../../workbench/workbench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type CasinoSetting } from "./setting";
import { words } from "./text";

export const workbench: WorkbenchParts<CasinoSetting> = { tools: ["table", "group"], toolNames: words.tools, start, fits, Controls, Results };
