import { describe as suite, expect, it } from "vitest";
import type { LogEvent, Table } from "../../match/table.svelte";
import { describe } from "./describe";

const table = { name: (seat: number) => ["Ann", "Bob"][seat] } as unknown as Table<"destiny">;
const said = (event: object): string | null =>
  describe({ key: "1.0", version: 1, event, byClock: false } as unknown as LogEvent<"destiny">, table);

suite("events in words", () => {
  it("say what a crime brought, and nothing where it brought nothing", () => {
    expect(said({ event: "resolved", crime: "burglary", degree: "success", margin: 12.5, gold: 30, experience: 25 })).toBe(
      "Success (+12.5): +$30, +25 experience.",
    );
    expect(said({ event: "resolved", crime: "burglary", degree: "failure", margin: -40, gold: 0, experience: 0 })).toBe(
      "Failure (−40): nothing won, nothing lost.",
    );
    expect(said({ event: "resolved", crime: "bank_robbery", degree: "critical_failure", margin: -90, gold: -27.5, experience: 0 })).toBe(
      "Critical failure (−90): −$27.50.",
    );
    expect(said({ event: "resolved", crime: "burglary", degree: "critical_failure", margin: -90, gold: 0, experience: 0, buff: "poisoned" })).toBe(
      "Critical failure (−90): poisoned.",
    );
  });

  it("say who chose, and not whom", () => {
    expect(said({ event: "committed", seat: 1 })).toBe("Bob has chosen an outlaw.");
  });

  it("name the member of a gang that drew", () => {
    const view = { type: "gang", gangs: [["iron_jack", "copper_mae"], ["doc_silas", "greenhorn"]] };
    const event = { event: "drawn", seat: 1, member: 1, score: { hand: ["K♠", "K♦"], rank: "pair", total: 114.43 } };
    const entry = { key: "1.0", version: 1, event, byClock: false } as unknown as LogEvent<"destiny">;

    expect(describe(entry, { ...table, view } as unknown as Table<"destiny">)).toBe(
      "Greenhorn, of Bob's gang, drew K♠ K♦: pair, 114.43 points.",
    );
  });

  it("say what was drawn, and who won", () => {
    expect(said({ event: "drawn", seat: 0, score: { hand: ["K♠", "K♦"], rank: "pair", total: 114.43 } })).toBe(
      "Ann drew K♠ K♦: pair, 114.43 points.",
    );
    expect(said({ event: "won", winner: "defender", why: "tie", degree: "success", damage: 10 })).toBe(
      "Bob won. Both totals are the same: the rules say who wins a tie. 10 damage.",
    );
  });

  it("tell a gang war", () => {
    expect(said({ event: "gangs_faced", attackers: ["iron_jack", "doc_silas"], defenders: ["greenhorn"] })).toBe("Iron Jack, Doc Silas attack Greenhorn.");
    expect(said({ event: "war_won", winner: "attacker", why: "higher_score", attack: "400/3", defense: "12" })).toBe(
      "Ann won the gang war, 133.33 against 12.00.",
    );
  });

  it("tell rest, travel and drink", () => {
    expect(said({ event: "rested", energy: 0 })).toBe("Rested, and regained nothing.");
    expect(said({ event: "travelled", place: "red_gulch" })).toBe("Travelled to Red Gulch.");
    expect(said({ event: "bought", buff: "whiskey", price: 5 })).toBe("Bought Whiskey for $5.");
  });

  it("tell a gauntlet", () => {
    expect(said({ event: "entered", outlaws: ["iron_jack", "doc_silas"] })).toBe("Iron Jack, Doc Silas enter the gauntlet.");
    expect(said({ event: "bout_begun", seat: 1, npc: "rookie" })).toBe("Bob challenges rookie.");
    expect(said({ event: "bout_resolved", seat: 1, npc: "rookie", winner: "defender", points: 30, lives: 2 })).toBe(
      "Bob loses to rookie: 30 points, lives left: 2.",
    );
    expect(said({ event: "retired", seat: 0, points: 65 })).toBe("Ann retires with 65 points.");
    expect(said({ event: "gauntlet_ended", winners: [0, 1], points: [30, 30] })).toBe("Ann and Bob won the gauntlet, 30 against 30.");
    expect(said({ event: "gauntlet_ended", winners: [], points: [30] })).toBe("The gauntlet is over, 30.");
  });
});
