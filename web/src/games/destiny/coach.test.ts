import { describe, expect, it } from "vitest";
import type { CrimeProspect, RunValue } from "./questions";
import { words } from "./text";
import { bestCrime, otherActions, rankTasks } from "./coach";

const none = { refusal: null, gold: null, experience: null, energy: null, gold_per_energy: null, next: null, mean_total: null, success: null };
const task = (crime: string, gold: string, gold_per_energy: string | null): RunValue => ({
  ...none,
  action: { type: "attempt", crime },
  gold,
  experience: "1",
  gold_per_energy,
});
const rest: RunValue = { ...none, action: { type: "rest" }, gold: "0", energy: "-30" };
const dear = task("dear", "20", "1/2");
const cheap = task("cheap", "5", "2/3");
const free = task("free", "1/2", null);
const idle = task("idle", "-1", null);

describe("what pays most", () => {
  it("begins with what costs no energy and pays, goes by gold for energy, and ends with what does neither", () => {
    expect(rankTasks([idle, rest, dear, free, cheap])).toEqual([free, cheap, dear, idle]);
  });

  it("leaves what has no draw, and wars that are not counted, to the other list", () => {
    const raid: RunValue = { ...none, action: { type: "raid", npc: "elite" } };

    expect(otherActions([dear, raid, rest])).toEqual([raid, rest]);
  });

  it("is the best of the crimes that are legal", () => {
    const crimes = { dear, cheap } as unknown as Record<string, CrimeProspect>;

    expect(bestCrime(crimes, () => true)).toBe("cheap");
    expect(bestCrime(crimes, (crime) => crime === "dear")).toBe("dear");
    expect(bestCrime(crimes, () => false)).toBeNull();
  });
});

describe("the titles of actions", () => {
  it.each([
    [{ type: "attempt", crime: "bank_robbery" }, "Bank robbery"],
    [{ type: "check", check: "hard" }, "Hard check"],
    [{ type: "challenge", npc: "elite" }, "Against elite"],
    [{ type: "raid", npc: "elite" }, "Raid elite"],
    [{ type: "defend", npc: "elite" }, "Defend against elite"],
    [{ type: "travel", place: "red_gulch" }, "Travel to Red Gulch"],
    [{ type: "buy", buff: "whiskey" }, "Buy whiskey"],
    [{ type: "hire", outlaw: "iron_jack" }, "Hire Iron Jack"],
    [{ type: "rest" }, "Rest"],
  ] as const)("name %o", (action, title) => {
    expect(words.actionNamed(action)).toBe(title);
  });
});
