/** Names for what the server's own description says; the descriptions are generated, never written. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Frame = Schemas["Frame"];
/** Why something was refused; `where` and `paragraph` are left out where there is none. */
export type Refusal = Pick<Schemas["Refusal"], "code" | "sentence"> & Partial<Schemas["Refusal"]>;
export type GameListed = Schemas["GameListed"];
export type Summary = Schemas["Summary"];
export type Schema<Name extends keyof Schemas> = Schemas[Name];

export type GameName = "destiny" | "duel" | "dice" | "fate" | "casino";
export const GAMES: readonly GameName[] = ["destiny", "duel", "dice", "fate", "casino"];

export type Views = {
  destiny: Schemas["destiny.AnyView"];
  duel: Schemas["duel.AnyView"];
  dice: Schemas["dice.AnyView"];
  fate: Schemas["fate.AnyView"];
  casino: Schemas["casino.AnyView"];
};
export type Events = {
  destiny: Schemas["destiny.AnyEvent"];
  duel: Schemas["duel.AnyEvent"];
  dice: Schemas["dice.AnyEvent"];
  fate: Schemas["fate.AnyEvent"];
  casino: Schemas["casino.AnyEvent"];
};
export type Actions = {
  destiny: Schemas["destiny.AnyAction"];
  duel: Schemas["duel.AnyAction"];
  dice: Schemas["dice.AnyAction"];
  fate: Schemas["fate.AnyAction"];
  casino: Schemas["casino.AnyAction"];
};
export type AnyRules = {
  destiny: Schemas["destiny.Rules"];
  duel: Schemas["duel.Rules"];
  dice: Schemas["dice.Rules"];
  fate: Schemas["fate.Rules"];
  casino: Schemas["casino.Rules"];
};

export function isGame(name: string): name is GameName {
  return (GAMES as readonly string[]).includes(name);
}
