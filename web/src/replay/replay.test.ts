import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredSeat } from "../api/storage";
import { RefusalError } from "../api/http";
import {
  Frames,
  matchFrames,
  recordFrames,
  PAGE,
  type FetchFrames,
  type ReplayFrame,
  type ReplayPage,
  type Viewer,
} from "../match/replay_frames";
import { Player } from "./player.svelte";
import { sha256, checkLocally, type Verification } from "./verification";

const frame = (ply: number, viewer: Viewer): ReplayFrame =>
  ({
    match: "m",
    game: "pig",
    version: ply,
    viewer,
    view: { ply },
    actions: [],
    chairs: [],
    deciding: [],
    outcome: null,
    abandonment: null,
    events: ply ? [{ version: ply, events: [{ event: `e${ply}` }] }] : [],
    line: ply ? `0 move ${ply}` : null,
    by: 0,
  }) as unknown as ReplayFrame;

function server(plies: number, { most = 200 } = {}): FetchFrames & ReturnType<typeof vi.fn> {
  return vi.fn(async (first: number, count: number, viewer: Viewer) => {
    const length = Math.max(0, Math.min(count, most, plies + 1 - first));
    const frames = Array.from({ length }, (_, index) => frame(first + index, viewer));
    return {
      game: "pig",
      rules: {},
      seats: ["Ann"],
      plies,
      first,
      frames,
      luck: "committed",
      outcome: null,
      abandonment: null,
      rules_id: "",
    } as unknown as ReplayPage;
  }) as never;
}

describe("frames of a record", () => {
  it("are fetched page by page, each once", async () => {
    const ask = server(400);
    const frames = await Frames.load(ask, null);
    const found = await frames.fetch(230, null);
    await frames.fetch(231, null);

    expect(found.version).toBe(230);
    expect(ask.mock.calls.map(([first]) => first)).toEqual([0, 200]);
  });
  it("near the beginning of a page bring those before, so that what led there can be told", async () => {
    const ask = server(400);
    const frames = await Frames.load(ask, null);
    await frames.fetch(3 * PAGE, null);

    expect(frames.eventsUntil(3 * PAGE, null)).toHaveLength(PAGE + 1);
    expect(frames.eventsUntil(3 * PAGE, null).at(-1)?.version).toBe(3 * PAGE);
  });
  it("are asked for again where the server sent fewer", async () => {
    const ask = server(70, { most: 20 });
    const frames = await Frames.load(ask, null);

    expect((await frames.fetch(49, null)).version).toBe(49);
    expect(ask.mock.calls.map(([first]) => first)).toEqual([0, 20, 40]);
  });
  it("are others for another viewer", async () => {
    const frames = await Frames.load(server(10), null);

    expect(frames.at(3, 0)).toBeUndefined();
    expect((await frames.fetch(3, 0)).viewer).toBe(0);
  });
  it("can be fetched again after a refusal", async () => {
    const ask = server(200);
    const frames = await Frames.load(ask, null);
    ask.mockRejectedValueOnce(new RefusalError({ code: "away", sentence: "away" }, 0));

    await expect(frames.fetch(130, null)).rejects.toThrow("away");
    expect((await frames.fetch(130, null)).version).toBe(130);
  });
});

describe("addresses of replays", () => {
  it("name the viewer only where there is one", async () => {
    const fetched = vi.fn(async (..._given: unknown[]) => new Response("{}"));
    vi.stubGlobal("fetch", fetched);
    await matchFrames("abc")(0, 50, null);
    await matchFrames("abc")(50, 50, 1);
    await recordFrames("text")(0, 5, null);

    expect(fetched.mock.calls.map(([path]) => path)).toEqual([
      "/api/v1/matches/abc/replay?first=0&count=50",
      "/api/v1/matches/abc/replay?first=50&count=50&viewer=1",
      "/api/v1/records/replay",
    ]);
  });
});

describe("a player", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const startPlayer = async (plies: number): Promise<Player> => new Player(await Frames.load(server(plies), null));

  it("shows new events where a frame follows the one before, and none after a jump", async () => {
    const player = await startPlayer(20);
    await player.step(1);
    expect(player.table.newEvents).toHaveLength(1);
    await player.seek(10);

    expect(player.table.newEvents).toHaveLength(0);
    expect(player.table.log).toHaveLength(10);
    expect(player.frame.line).toBe("0 move 10");
  });
  it("stays between the beginning and the end", async () => {
    const player = await startPlayer(5);
    await player.step(-1);
    expect(player.shownPly).toBe(0);
    await player.step(Infinity);
    expect(player.shownPly).toBe(5);
    await player.step(-Infinity);

    expect(player.shownPly).toBe(0);
  });
  it("plays to the end by itself, and begins again from there", async () => {
    const player = await startPlayer(3);
    player.play();
    await vi.advanceTimersByTimeAsync(5_000);
    expect([player.shownPly, player.playing]).toEqual([3, false]);
    player.play();
    await vi.advanceTimersByTimeAsync(1_200);

    expect([player.shownPly, player.playing]).toEqual([1, true]);
    player.close();
  });
  it("shows the last place that was wanted, whatever comes later", async () => {
    const player = await startPlayer(300);
    const far = player.seek(260);
    const near = player.seek(2);
    await Promise.all([far, near]);

    expect(player.shownPly).toBe(2);
    expect(player.isWaiting).toBe(false);
  });
  it("is seen with other eyes at the same place", async () => {
    const player = await startPlayer(20);
    await player.seek(7);
    await player.viewAs(0);

    expect([player.shownPly, player.frame.viewer, player.table.newEvents.length]).toEqual([7, 0, 0]);
  });
  it("says why a part cannot be fetched, and stays where it is", async () => {
    const ask = server(300);
    const player = new Player(await Frames.load(ask, null));
    ask.mockRejectedValue(new RefusalError({ code: "away", sentence: "away" }, 0));
    await player.seek(260);

    expect([player.shownPly, player.targetPly, player.refusal?.sentence]).toEqual([0, 0, "away"]);
  });
});

describe("a proof", () => {
  const SEED = "00".repeat(32);
  const makeVerification = (commitment: string): Verification =>
    ({
      proof: "proven",
      seal: { match: "m", commitment, server_seed: SEED, client_seeds: ["mine"] },
      seats: ["Ann"],
    }) as unknown as Verification;
  const stored = { match: "m", seat: 0, seed: "mine", commitment: "c" } as unknown as StoredSeat;

  it("is counted by the browser itself", async () => {
    const digest = (await sha256(SEED))!;

    expect(digest.slice(0, 16)).toBe("66687aadf862bd77");
    expect(await checkLocally(makeVerification(digest), undefined)).toEqual([{ what: "seed", holds: true }]);
  });
  it("fails where the seed, the commitment or one's own seed is another", async () => {
    expect(await checkLocally(makeVerification("d"), { ...stored, seed: "other" })).toEqual([
      { what: "seed", holds: false },
      { what: "commitment", holds: false },
      { what: "mine", holds: false },
    ]);
  });
  it("has nothing to say where no server was bound", async () => {
    expect(await checkLocally({ ...makeVerification("d"), seal: null }, stored)).toEqual([]);
  });
});
