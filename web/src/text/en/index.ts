import { house } from "./house";
import { lobby } from "./lobby";
import { replay } from "./replay";
import { rules } from "./rules";
import { workbench } from "./workbench";

export const en = { house, lobby, replay, rules, workbench };
