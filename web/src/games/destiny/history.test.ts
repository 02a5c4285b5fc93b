import { describe, expect, it } from "vitest";
import type { Event, Entry } from "./history";
import { decisionIn, lastDraw, scoreOf, countResults } from "./history";

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
      log({ event: "attempted" }, { event: "drawn", seat: 0, score }, makeResolved("burglary", "success", 30), { event: "rested", energy: 30 }),
    );

    expect(found?.key).toBe("1.0");
    expect(found?.resolved?.crime).toBe("burglary");
    expect(lastDraw(log({ event: "rested", energy: 0 }))).toBeNull();
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
    expect(tally.crimes).toEqual([
      { crime: "burglary", tries: 2, succeeded: 1, gold: 1500n },
      { crime: "pickpocket", tries: 1, succeeded: 1, gold: 3250n },
    ]);
    expect(tally.best).toEqual({ crime: "pickpocket", gold: 3250n });
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
