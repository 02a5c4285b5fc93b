/** Names for types of the server's OpenAPI description, from which `schema.d.ts` is generated. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Frame = Schemas["Frame"];
/** A refusal; `where` and `paragraph` are optional. */
export type Refusal = Schemas["Refusal"];
export type GameSummary = Schemas["GameSummary"];
export type SeatCount = Schemas["SeatCount"];
export type Summary = Schemas["Summary"];
export type Schema<Name extends keyof Schemas> = Schemas[Name];

/** The games of the server's description, discriminated by `game` in frames and requests. */
export type GameName = Frame["game"];
type FrameOf<G extends GameName> = Extract<Frame, { game: G }>;

export type Views = { [G in GameName]: NonNullable<FrameOf<G>["view"]> };
export type Events = { [G in GameName]: NonNullable<FrameOf<G>["events"]>[number]["events"][number] };
export type Actions = { [G in GameName]: FrameOf<G>["actions"][number] };
/** Rules in full, as the server sends them. */
export type AnyRules = { [G in GameName]: Extract<Schemas["Replay"], { game: G }>["rules"] };
