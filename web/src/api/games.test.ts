import { describe, expect, it, vi } from "vitest";
import { Games } from "./games.svelte";
import * as http from "./http";
import type { GameSummary } from "./types";

const PIG: GameSummary = {
  game: "pig",
  title: "The Pig",
  summary: "Roll or hold.",
  seats: { fewest: 2, most: 4 },
  bots: ["random"],
  default_bot: "random",
  roles: ["farmer"],
  presets: ["default"],
};

describe("the games of a server", () => {
  it("are fetched once", async () => {
    const get = vi.spyOn(http, "get").mockResolvedValue([PIG]);
    const games = new Games();

    expect(await Promise.all([games.load(), games.load()])).toEqual([[PIG], [PIG]]);
    expect(get).toHaveBeenCalledTimes(1);
    expect(games.find("pig")).toEqual(PIG);
  });

  it("have no titles until the server has given them, and plain ones where it gives none", async () => {
    vi.spyOn(http, "get").mockResolvedValue([PIG]);
    const games = new Games();
    const before = games.title("pig");
    await games.load();

    expect([before, games.title("pig"), games.title("liars_bluff")]).toEqual(["", "The Pig", "Liars bluff"]);
    expect([games.roles("pig"), games.roles("liars_bluff")]).toEqual([["farmer"], []]);
  });

  it("are asked for again after a failure, which is told", async () => {
    const failure = new Error("away");
    vi.spyOn(http, "get").mockRejectedValueOnce(failure).mockResolvedValueOnce([PIG]);
    const games = new Games();
    await expect(games.load()).rejects.toBe(failure);

    expect([games.error, games.isSettled, games.title("pig")]).toEqual([failure, true, "Pig"]);
    await games.load();
    expect([games.error, games.title("pig")]).toEqual([null, "The Pig"]);
  });
});
