import type { WorkbenchParts } from "../../../workbench/workbench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DuelSetting } from "./setting";
import { words } from "./text";

export const workbench: WorkbenchParts<DuelSetting> = { tools: ["duel", "split"], toolNames: words.tools, start, fits, Controls, Results };
