import { afterEach, describe, expect, it, vi } from "vitest";
import { FOLDERS, hasWorkbench, hasBoard, loadWorkbench, loadParts, lobbyOf } from ".";

/** All components of a game are compiled before its first test. */
const SLOW = { timeout: 60_000 };

afterEach(() => vi.unstubAllGlobals());

describe("games with a folder", () => {
  it("are found", () => {
    expect(FOLDERS.length).toBeGreaterThan(0);
  });

  it.each(FOLDERS.filter(hasBoard))("%s shows something at the table", SLOW, async (game) => {
    const parts = await loadParts(game);

    expect(Object.keys(parts)).not.toEqual([]);
    expect(["Board", "How", "Odds", "describe"]).toEqual(expect.arrayContaining(Object.keys(parts)));
  });

  it.each(FOLDERS.filter(hasWorkbench))("%s knows the shape of what its workbench begins with", SLOW, async (game) => {
    const workbench = (await loadWorkbench(game))!;

    expect(workbench.fits(workbench.start())).toBe(true);
    expect(workbench.fits({ ...workbench.start(), more: 1 })).toBe(false);
  });
});

describe.each(["no_such_game", "constructor", "../lobby", ""])("a game that has no folder (%j)", (game) => {
  it("has the default parts, and nothing of its own", SLOW, async () => {
    vi.stubGlobal("fetch", async (url: string) => new Response(url.endsWith("/types") ? JSON.stringify({ game, view: {}, action: {}, event: {}, parts: {} }) : "[]"));

    expect([hasBoard(game), hasWorkbench(game)]).toEqual([false, false]);
    expect(Object.keys(await loadParts(game)).sort()).toEqual(["Board", "How", "describe", "hasSeats", "look"]);
    expect(await loadWorkbench(game)).toBeNull();
    expect(lobbyOf(game)).toEqual({ sample: [], words: {} });
  });
});
