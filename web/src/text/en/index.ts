import { common } from "./common";
import { lobby } from "./lobby";
import { replay } from "./replay";
import { rules } from "./rules";
import { workbench } from "./workbench";

export const en = { common, lobby, replay, rules, workbench };
