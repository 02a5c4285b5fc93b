import { describe, expect, it } from "vitest";
import { lastBout, seatsOf, type GauntletView } from "./gauntlet";
import type { Entry } from "./history";

const bout = (seat: number, winner: string) => ({ seat, npc: "rookie", hands: [[], []], winner });
const view = (choices: (string | null)[], bouts: object[] = []) =>
  ({ choices, bouts, retired: choices.map(() => false) }) as unknown as GauntletView;
const log = (...events: object[]) => events.map((event, index) => ({ key: `${index}`, version: 1, event, byClock: false })) as unknown as Entry[];

describe("the seats of a gauntlet", () => {
  it("have their victories and defeats", () => {
    const bouts = [bout(0, "attacker"), bout(1, "defender"), bout(1, "attacker"), bout(0, "attacker")];

    expect(seatsOf(view(["iron_jack", "doc_silas"], bouts))).toEqual([
      { outlaw: "iron_jack", beaten: 2, lost: 0, retired: false },
      { outlaw: "doc_silas", beaten: 1, lost: 1, retired: false },
    ]);
  });

  it("are not known while an outlaw is hidden", () => {
    expect(seatsOf(view(["iron_jack", null]))).toBeNull();
  });
});

describe("the last contest", () => {
  const begun = { event: "bout_begun", seat: 1, npc: "elite" };

  it("has the score that is drawn so far", () => {
    expect(lastBout(log({ event: "bout_begun", seat: 0, npc: "rookie" }, begun, { event: "drawn", seat: 1, score: { total: 44 } }))).toEqual({
      seat: 1,
      npc: "elite",
      own: { total: 44 },
      other: null,
      won: null,
    });
  });

  it("is decided by both scores", () => {
    const drawn = [{ event: "drawn", seat: 1, score: { total: 44 } }, { event: "drawn", seat: 1, npc: "elite", score: { total: 90 } }];
    const found = lastBout(log(begun, ...drawn, { event: "bout_resolved", seat: 1, npc: "elite", winner: "defender" }));

    expect([found?.other, found?.won]).toEqual([{ total: 90 }, false]);
    expect(lastBout([])).toBeNull();
  });
});
