import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../api/http";
import { RulesDraft } from "./draft.svelte";

/** A server whose rules say how many may play. */
function read(given: unknown): object {
  const { rules } = given as { rules: string | { players?: number } };
  const players = typeof rules === "string" ? (rules === "crowd" ? 8 : 4) : (rules.players ?? 4);
  if (players > 9) throw new http.RefusalError({ code: "out_of_bounds", sentence: "too many" }, 400);
  return { rules_id: "", rules: { players }, toml: `players = ${players}`, seats: { fewest: 2, most: players } };
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(http, "post").mockImplementation(async (_, body) => read(body) as never);
});
afterEach(() => void vi.useRealTimers());

describe("how many may play", () => {
  it("is what the server says of the rules that are chosen, and of those that are changed", async () => {
    const draft = new RulesDraft("pig");
    expect(draft.seats).toBeNull();
    await draft.choose("crowd");
    expect(draft.seats).toEqual({ fewest: 2, most: 8 });
    draft.change({ players: 3 });
    await vi.runAllTimersAsync();
    expect(draft.seats).toEqual({ fewest: 2, most: 3 });
    draft.change({});
    expect(draft.seats).toEqual({ fewest: 2, most: 8 });
  });

  it("stays what it was where rules are refused", async () => {
    const draft = new RulesDraft("pig");
    await draft.choose("default");
    draft.change({ players: 10 });
    await vi.runAllTimersAsync();

    expect(draft.wrong?.sentence).toBe("too many");
    expect(draft.seats).toEqual({ fewest: 2, most: 4 });
  });
});
