import { describe, expect, it } from "vitest";
import type { RosterReply } from "./questions";
import { bestOutlaw, chancesAgainst, matchupRows } from "./matchups";

const ROSTER = {
  outlaws: { rose: {}, jack: {} },
  total: 100,
  attacker_wins: { rose: { rose: 49, jack: 70 }, jack: { rose: 25, jack: 48 } },
} as unknown as RosterReply;

describe("contests of the roster", () => {
  it("are seen from the attacker's seat, or from the defender's", () => {
    expect(chancesAgainst(ROSTER, "rose", true)).toEqual([{ other: "rose", chance: "49/100" }, { other: "jack", chance: "70/100" }]);
    expect(chancesAgainst(ROSTER, "jack", false)).toEqual([{ other: "rose", chance: "30/100" }, { other: "jack", chance: "52/100" }]);
  });

  it("have a worst and an average", () => {
    const [rose, jack] = matchupRows(ROSTER, true);

    expect(rose).toMatchObject({ worst: "49/100", average: "119/200" });
    expect(jack).toMatchObject({ worst: "25/100", average: "73/200" });
    expect(bestOutlaw(matchupRows(ROSTER, true), "worst")).toBe("rose");
    expect(bestOutlaw([], "average")).toBeNull();
  });
});
