// @vitest-environment happy-dom
import { describe, expect, it, vi } from "vitest";
import { RefusalError } from "../api/http";
import { saveSeat, loadSeats, type StoredSeat } from "../api/storage";
import type { Frame, GameSummary, Summary } from "../api/types";
import { matchIn } from "./addresses";
import { mergeMatches } from "./match_list.svelte";
import { isMyTurn, MyMatches, sortMatches, stateAfter, stateOf, type MyMatch } from "./my_matches.svelte";
import { openPlan } from "./open_match";
import { canPractise, mySeat, openRequest, resizeSeats, assignSeat, defaultBot, defaultOccupants, type Plan } from "./plans";
import { formatAgo } from "./relative_time";

const PIG: GameSummary = {
  game: "pig",
  title: "Pig",
  summary: "Roll or hold.",
  seats: { fewest: 2, most: 4 },
  bots: ["random", "greedy", "search"],
  default_bot: "greedy",
  roles: [],
  presets: ["default"],
};
/** A game with a seat that is no rival. */
const TALE: GameSummary = {
  ...PIG,
  game: "tale",
  seats: { fewest: 2, most: 7 },
  bots: ["random"],
  default_bot: "random",
  roles: ["narrator"],
};
const PLAN: Plan = {
  game: "pig",
  rules: "default",
  occupants: defaultOccupants(PIG, { withFriend: false }),
  clock: null,
  isPrivate: false,
  practice: null,
};
const ID = "0123456789abcdef0123";

describe("a plan", () => {
  it("seats one person with a bot where the game needs another", () => {
    expect(defaultOccupants(PIG, { withFriend: false })).toEqual([{ who: "me" }, { who: "bot", bot: "greedy" }]);
    expect(defaultOccupants(TALE, { withFriend: true })).toEqual([{ who: "bot", bot: "random" }, { who: "me" }, { who: "friend" }]);
  });
  it.each([
    { seats: [1, 1], roles: [], alone: ["me"], friend: ["me"] },
    { seats: [1, 2], roles: [], alone: ["me"], friend: ["me", "friend"] },
    { seats: [2, 4], roles: [], alone: ["me", "bot"], friend: ["me", "friend"] },
    { seats: [3, 3], roles: [], alone: ["me", "bot", "bot"], friend: ["me", "friend", "bot"] },
    { seats: [2, 7], roles: ["narrator"], alone: ["bot", "me"], friend: ["bot", "me", "friend"] },
    { seats: [2, 2], roles: ["narrator"], alone: ["bot", "me"], friend: ["bot", "me"] },
  ])("seats people by $seats seats and the roles $roles", ({ seats: [fewest, most], roles, alone, friend }) => {
    const game: GameSummary = { ...PIG, seats: { fewest: fewest!, most: most! }, roles };
    const who = (withFriend: boolean): string[] => defaultOccupants(game, { withFriend }).map((occupant) => occupant.who);

    expect([who(false), who(true)]).toEqual([alone, friend]);
  });
  it("takes another bot where the usual one is missing", () => {
    expect(defaultBot({ ...PIG, bots: ["search"] })).toBe("search");
  });
  it("grows by bots, and shrinks without losing you", () => {
    const four = resizeSeats(PLAN.occupants, 4, PIG);

    expect(four.map((occupant) => occupant.who)).toEqual(["me", "bot", "bot", "bot"]);
    expect(resizeSeats([{ who: "bot", bot: "random" }, { who: "friend" }, { who: "me" }], 2, PIG).map((occupant) => occupant.who)).toEqual([
      "bot",
      "me",
    ]);
  });
  it("never seats you twice: you change places", () => {
    const next = assignSeat(PLAN.occupants, 1, { who: "me" });

    expect(next).toEqual([{ who: "bot", bot: "greedy" }, { who: "me" }]);
    expect(mySeat(next)).toBe(1);
    expect(mySeat(assignSeat(next, 1, { who: "friend" }))).toBeNull();
  });
  it("asks for no more than it has", () => {
    expect(openRequest(PLAN)).toEqual({ game: "pig", seats: [null, "greedy"], rules: "default" });
    expect(openRequest({ ...PLAN, isPrivate: true, practice: "abc", clock: { choice_seconds: 30, bank_seconds: 0 } })).toEqual({
      game: "pig",
      seats: [null, "greedy"],
      rules: "default",
      private: true,
      practice: "abc",
      clock: { choice_seconds: 30, bank_seconds: 0 },
    });
  });
  it("has no practice seed where two people play", () => {
    const occupants = defaultOccupants(PIG, { withFriend: true });

    expect(canPractise(occupants)).toBe(false);
    expect(openRequest({ ...PLAN, occupants, practice: "abc" })).not.toHaveProperty("practice");
  });
});

function answers(...replies: [number, unknown][]): ReturnType<typeof vi.fn> {
  const fetched = vi.fn(async () => {
    const [status, body] = replies.shift() ?? [500, {}];
    return new Response(JSON.stringify(body), { status });
  });
  vi.stubGlobal("fetch", fetched);
  return fetched;
}

describe("opening a plan", () => {
  it("opens the match, takes the seat, and keeps what proves it later", async () => {
    localStorage.clear();
    const fetched = answers(
      [201, { match: ID, version: 1, commitment: "c0" }],
      [200, { answer: "applied", version: 2, seat: 0, token: "t" }],
    );

    expect(await openPlan(PLAN, "Ann")).toEqual({ address: `/matches/${ID}`, refusal: null });
    expect(fetched.mock.calls.map(([path]) => path)).toEqual(["/api/v1/matches", `/api/v1/matches/${ID}/join`]);
    expect(loadSeats()[0]).toMatchObject({ match: ID, seat: 0, token: "t", name: "Ann", commitment: "c0" });
    expect(loadSeats()[0]?.seed).toMatch(/^[0-9a-f]{32}$/);
  });
  it("leads to the match also where the seat could not be taken", async () => {
    answers([201, { match: ID, version: 1, commitment: "c0" }], [409, { refusal: { code: "seat_taken", sentence: "taken" } }]);

    expect(await openPlan(PLAN, "Ann")).toEqual({ address: `/matches/${ID}`, refusal: { code: "seat_taken", sentence: "taken" } });
  });
  it("takes no seat where bots play among themselves", async () => {
    const fetched = answers([201, { match: ID, version: 1, commitment: "c0" }]);
    await openPlan({ ...PLAN, occupants: [{ who: "bot", bot: "random" }, { who: "bot", bot: "random" }] }, "Ann");

    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe("a link", () => {
  it("is found in whatever was pasted", () => {
    expect(matchIn(`https://example.org/matches/${ID}?x`)).toBe(ID);
    expect(matchIn(`  ${ID.toUpperCase()} `)).toBe(ID);
    expect(matchIn("hello")).toBeNull();
    expect(matchIn(`${ID}0`)).toBeNull();
  });
});

describe("times", () => {
  it("are said as people do", () => {
    expect([1_000, 30_000, 120_000, 7_200_000, 86_400_000].map((past) => formatAgo(0, past))).toEqual([
      "just now",
      "30 seconds ago",
      "2 minutes ago",
      "2 hours ago",
      "yesterday",
    ]);
  });
});

const summary = (match: string, changed_at: number, status: Summary["status"] = "playing"): Summary =>
  ({
    match,
    changed_at,
    status,
    game: "pig",
    rules_id: "",
    version: 1,
    names: [],
    bots: [],
    opened_at: 0,
    due_at: null,
    practice: false,
    private: false,
  }) as Summary;

describe("a list", () => {
  it("has each match once, as it was told last, the latest first", () => {
    const list = mergeMatches([summary("a", 5), summary("b", 4)], [summary("b", 9, "over"), summary("c", 6)]);

    expect(list.map((one) => one.match)).toEqual(["b", "c", "a"]);
    expect(list[0]?.status).toBe("over");
  });
});

const makeSeat = (match: string, joinedAt = 0): StoredSeat => ({ match, game: "pig", seat: 0, token: "t", name: "Ann", joinedAt });
const frame = (given: Partial<Frame>): Frame =>
  ({ view: {}, outcome: null, abandonment: null, deciding: [], chairs: [], ...given }) as unknown as Frame;
const mine = (match: string, state: MyMatch["state"], joinedAt = 0, deciding: number[] = []): MyMatch => ({
  stored: makeSeat(match, joinedAt),
  frame: frame({ deciding }),
  state,
});

describe("my matches", () => {
  it("stand as their frames say", () => {
    expect(stateOf(frame({ view: null } as Partial<Frame>))).toBe("open");
    expect(stateOf(frame({}))).toBe("playing");
    expect(stateOf(frame({ outcome: { why: "", winners: [], scores: [] } }))).toBe("over");
    expect(stateAfter(new RefusalError({ code: "unknown_match", sentence: "" }, 404))).toBe("gone");
    expect(stateAfter(new RefusalError({ code: "bad_token", sentence: "" }, 403))).toBe("lost");
    expect(stateAfter(new TypeError())).toBe("unreachable");
  });
  it("come in the order in which they want something", () => {
    const list = sortMatches([
      mine("over", "over", 9),
      mine("waits", "playing", 5),
      mine("turn", "playing", 1, [0]),
      mine("gone", "gone", 8),
    ]);

    expect(list.map((one) => one.stored.match)).toEqual(["turn", "waits", "over", "gone"]);
    expect(isMyTurn(list[0]!)).toBe(true);
  });
  it("are asked with their tokens, and told when they are gone", async () => {
    localStorage.clear();
    saveSeat(makeSeat("a"));
    saveSeat(makeSeat("b"));
    answers([404, { refusal: { code: "unknown_match", sentence: "no" } }], [200, frame({ deciding: [0] })]);
    const list = new MyMatches(10);
    await list.refresh();

    expect(list.all.map((one) => [one.stored.match, one.state])).toEqual([["a", "playing"], ["b", "gone"]]);
    list.forget("b");
    expect(loadSeats().map((one) => one.match)).toEqual(["a"]);
  });
});
