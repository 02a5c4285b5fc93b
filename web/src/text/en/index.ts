import { casino } from "./casino";
import { destiny } from "./destiny";
import { dice } from "./dice";
import { duel } from "./duel";
import { fate } from "./fate";
import { house } from "./house";
import { lobby } from "./lobby";
import { replay } from "./replay";
import { workbench } from "./workbench";

export const en = { house, lobby, replay, workbench, destiny, duel, dice, fate, casino };
