import { describe, expect, it, vi } from "vitest";
import { games } from "../api/games.svelte";
import * as http from "../api/http";
import { FOLDERS, lobbyOf } from "../games";
import { botLine, botName, matchLine, presetName, seatName } from "./names";

/** A game that has no folder. */
const GAME = "no_such_game";

describe("names around a game", () => {
  it("are plain ones where its folder has none", async () => {
    vi.spyOn(http, "get").mockResolvedValue([{ game: GAME, title: "None", summary: "Roll or hold.", roles: ["old_farmer"] }]);
    await games.load();

    expect([0, 1, 2].map((seat) => seatName(GAME, seat, 3))).toEqual(["Old farmer", "Player 1", "Player 2"]);
    expect(matchLine(GAME, 3)).toBe("Roll or hold.");
    expect(presetName(GAME, "two_dice")).toBe("Two dice");
    expect([botName(GAME, "greedy"), botName(GAME, "hog")]).toEqual(["Greedy", "hog"]);
    expect([botLine(GAME, "greedy"), botLine(GAME, "hog")]).toEqual(["takes what is best now", ""]);
  });

  it.each(FOLDERS.filter((game) => lobbyOf(game).words.seat))("of %s are those of its folder", (game) => {
    expect(seatName(game, 0, 2)).toBe(lobbyOf(game).words.seat!(0, 2));
  });
});
