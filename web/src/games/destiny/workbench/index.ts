import type { WorkbenchParts } from "../../../workbench/workbench.svelte";
import Controls from "./Controls.svelte";
import Results from "./Results.svelte";
import { fits, start, type DestinySetting } from "./setting";
import { words } from "./text";

export const workbench: WorkbenchParts<DestinySetting> = {
  tools: ["check", "contest", "gang"],
  toolNames: words.tools,
  start,
  fits,
  Controls,
  Results,
};
