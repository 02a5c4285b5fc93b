import { casino } from "./casino";
import { destiny } from "./destiny";
import { dice } from "./dice";
import { duel } from "./duel";
import { fate } from "./fate";
import { house } from "./house";
import { lobby } from "./lobby";
import { replay } from "./replay";
import { rules } from "./rules";
import { workbench } from "./workbench";

export const en = { house, lobby, replay, rules, workbench, destiny, duel, dice, fate, casino };
