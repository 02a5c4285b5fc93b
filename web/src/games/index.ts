/** The games that this client has folders for, and their parts. A new game is a new folder beside this file, and no line elsewhere. */
import type { BenchParts } from "../workbench/bench.svelte";
import type { GameParts, LobbyParts } from "./parts";

/** A bench is only ever given settings that are its own: `any` stands for those. */
type AnyBench = BenchParts<any>;

const BOARDS = byGame(import.meta.glob<{ parts: GameParts }>("./*/index.ts"));
const BENCHES = byGame(import.meta.glob<{ bench: AnyBench }>("./*/workbench/index.ts"));
/** Small, and shown in lists of all games: loaded with the first page. All other parts are loaded when they are shown. */
const LOBBIES = byGame(import.meta.glob<{ lobby: LobbyParts }>("./*/lobby/index.ts", { eager: true }));

const NO_LOBBY: LobbyParts = { sample: [], words: {} };

/** Names of the folders. */
export const FOLDERS: readonly string[] = [...new Set([...BOARDS.keys(), ...BENCHES.keys(), ...LOBBIES.keys()])].sort();

/** Load what a game shows at the table; nothing where it has no folder. */
export async function loadParts(game: string): Promise<GameParts> {
  return (await BOARDS.get(game)?.())?.parts ?? {};
}

export function hasBoard(game: string): boolean {
  return BOARDS.has(game);
}

/** Load the workbench of a game; null where it has none. */
export async function loadBench(game: string): Promise<AnyBench | null> {
  return (await BENCHES.get(game)?.())?.bench ?? null;
}

export function hasBench(game: string): boolean {
  return BENCHES.has(game);
}

/** Return how a game is shown in lists; without sample and words where it has no folder. */
export function lobbyOf(game: string): LobbyParts {
  return LOBBIES.get(game)?.lobby ?? NO_LOBBY;
}

/** Return what was found by path ("./<name>/…") by the name of the game. */
function byGame<T>(found: Record<string, T>): ReadonlyMap<string, T> {
  return new Map(Object.entries(found).map(([path, one]) => [path.split("/")[1]!, one]));
}
