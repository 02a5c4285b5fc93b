import { describe, expect, it } from "vitest";
import type { Event, Entry } from "./history";
import { decisionIn, isWon, lastDraw, pendingTitle, scoreOf, countResults } from "./history";

const score = { total: 100 } as never;
const log = (...events: object[]): Entry[] =>
  events.map((event, index) => ({ key: `${index}.0`, version: index, event: event as Event, byClock: false }));
const makeResolved = (crime: string, degree: string, gold: number): object => ({
  event: "resolved",
  crime,
  degree,
  gold,
  experience: 0,
  margin: 0,
});

describe("the story of a run", () => {
  it("knows the last draw with the crime that it decided", () => {
    const found = lastDraw(
      log({ event: "attempted", crime: "burglary" }, { event: "drawn", seat: 0, score }, makeResolved("burglary", "success", 30), { event: "rested", energy: 30 }),
    );

    expect(found?.key).toBe("1.0");
    expect(found?.title).toBe("Burglary");
    expect(found && isWon(found)).toBe(true);
    expect(lastDraw(log({ event: "rested", energy: 0 }))).toBeNull();
  });

  it("shows all draws of a gang war with its result", () => {
    const draws = [0, 1].flatMap((place) => [0, 1, 2].map((member) => ({ event: "drawn", seat: 0, score, member, npc: place ? "rookie" : null })));
    const entries = log(
      { event: "drawn", seat: 0, score },
      { event: "war_begun", npc: "rookie", side: "attacker", gang: ["greenhorn", "copper_mae", "doc_silas"], energy: 30 },
      ...draws,
      { event: "war_resolved", npc: "rookie", side: "attacker", winner: "attacker", gold: 75, experience: 15 },
    );
    const found = lastDraw(entries);

    expect(found?.title).toBe("3 × rookie");
    expect(found?.key).toBe("2.0");
    expect(found?.encounter?.draws.map((draw) => draw.npc)).toEqual([null, null, null, "rookie", "rookie", "rookie"]);
    expect(found?.encounter?.gang).toEqual(["greenhorn", "copper_mae", "doc_silas"]);
    expect(found && isWon(found)).toBe(true);
    expect(countResults(entries).rows).toEqual([{ title: "War against rookie", tries: 1, succeeded: 1, gold: 7500n }]);
  });

  it("shows both draws of a contest, and a defeat", () => {
    const entries = log(
      { event: "challenged", npc: "elite", energy: 20 },
      { event: "drawn", seat: 0, score },
      { event: "drawn", seat: 0, score, npc: "elite" },
      { event: "contest_resolved", npc: "elite", winner: "defender", gold: 0, experience: 0, energy: 22 },
    );
    const found = lastDraw(entries, "greenhorn");

    expect(found?.title).toBe("Against elite");
    expect(found?.encounter?.gang).toEqual(["greenhorn"]);
    expect(found && isWon(found)).toBe(false);
    expect(lastDraw(entries.slice(0, 2))?.encounter).toBeNull();
  });

  it("names what waits for a draw", () => {
    expect(pendingTitle(null)).toBeNull();
    expect(pendingTitle({ type: "crime", crime: "bank_robbery" })).toBe("Bank robbery");
    expect(pendingTitle({ type: "check", check: "very_hard" })).toBe("Very hard check");
    expect(pendingTitle({ type: "contest", npc: "rookie", hands: [] })).toBe("Against rookie");
    expect(pendingTitle({ type: "war", npc: "rookie", side: "attacker", hands: [] })).toBe("War against rookie");
  });

  it("counts crimes, degrees and takings", () => {
    const tally = countResults(
      log(
        makeResolved("burglary", "success", 30),
        makeResolved("burglary", "critical_failure", -15),
        makeResolved("pickpocket", "critical_success", 32.5),
      ),
    );

    expect(tally.attempts).toBe(3);
    expect(tally.degrees).toEqual({ success: 1, critical_failure: 1, critical_success: 1 });
    expect(tally.rows).toEqual([
      { title: "Burglary", tries: 2, succeeded: 1, gold: 1500n },
      { title: "Pickpocket", tries: 1, succeeded: 1, gold: 3250n },
    ]);
    expect(tally.best).toEqual({ title: "Pickpocket", gold: 3250n });
  });

  it("has no best haul where nothing was won", () => {
    expect(countResults(log(makeResolved("burglary", "failure", 0))).best).toBeNull();
  });
});

describe("the story of a contest", () => {
  it("knows what each side drew, and who won", () => {
    const entries = log(
      { event: "drawn", seat: 0, score },
      { event: "drawn", seat: 1, score: { total: 7 } },
      { event: "won", winner: "attacker", why: "higher_total" },
    );

    expect(scoreOf(1, entries)?.total).toBe(7);
    expect(scoreOf(1, entries.slice(0, 1))).toBeNull();
    expect(decisionIn(entries)?.winner).toBe("attacker");
    expect(decisionIn([])).toBeNull();
  });
});
