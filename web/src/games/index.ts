/** The games that this client has folders for, and their parts. Folders are found at build time; no other file lists them. */
import type { WorkbenchParts } from "../workbench/workbench.svelte";
import type { GameParts, LobbyParts } from "./parts";

/** A workbench gets settings of its own game only; their type is `any` here. */
type AnyWorkbench = WorkbenchParts<any>;

const BOARDS = byGame(import.meta.glob<{ parts: GameParts }>("./*/index.ts"));
const WORKBENCHES = byGame(import.meta.glob<{ workbench: AnyWorkbench }>("./*/workbench/index.ts"));
/** Loaded with the first page, because lists show all games. Other parts are loaded on demand. */
const LOBBIES = byGame(import.meta.glob<{ lobby: LobbyParts }>("./*/lobby/index.ts", { eager: true }));

const NO_LOBBY: LobbyParts = { sample: [], words: {} };

/** Names of the folders. */
export const FOLDERS: readonly string[] = [...new Set([...BOARDS.keys(), ...WORKBENCHES.keys(), ...LOBBIES.keys()])].sort();

/** Load the parts of a game's match page: its own, or the default ones, which are made from the game's schemas. */
export async function loadParts(game: string): Promise<GameParts> {
  const own = BOARDS.get(game);
  return own ? (await own()).parts : (await import("../board")).loadDefaultParts(game);
}

/** Whether a game has a board of its own. */
export function hasBoard(game: string): boolean {
  return BOARDS.has(game);
}

/** Load the workbench of a game; null where it has none. */
export async function loadWorkbench(game: string): Promise<AnyWorkbench | null> {
  return (await WORKBENCHES.get(game)?.())?.workbench ?? null;
}

export function hasWorkbench(game: string): boolean {
  return WORKBENCHES.has(game);
}

/** Return the lobby parts of a game; empty where it has no folder. */
export function lobbyOf(game: string): LobbyParts {
  return LOBBIES.get(game)?.lobby ?? NO_LOBBY;
}

/** Map modules by path ("./<name>/…") to the name of their game. */
function byGame<T>(found: Record<string, T>): ReadonlyMap<string, T> {
  return new Map(Object.entries(found).map(([path, one]) => [path.split("/")[1]!, one]));
}
