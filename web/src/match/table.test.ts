import { describe, expect, it } from "vitest";
import { RefusalError } from "../api/http";
import type { Frame, GameName } from "../api/types";
import { Table } from "./table.svelte";

const PIG = "pig" as GameName;
const frame = (version: number, more: object = {}): Frame =>
  ({
    match: "m1", game: PIG, version, viewer: 0, deciding: [0], chairs: [{ name: "Ann" }], view: {}, actions: [],
    events: [], outcome: null, abandonment: null, ...more,
  }) as unknown as Frame;
const batch = (version: number, ...names: string[]) => ({ version, events: names.map((event) => ({ event, audience: "everyone" })) });

describe("the store of a table", () => {
  it("hears each event once, in order, whatever frames repeat", () => {
    const table = new Table(PIG, {} as never, frame(1, { events: [batch(1, "round_began")] }));
    table.show(frame(3, { events: [batch(2, "rolled"), batch(3, "locked")] }));
    table.show(frame(4, { events: [batch(3, "locked"), batch(4, "scored", "paid")] }));

    expect(table.log.map((entry) => entry.key)).toEqual(["1.0", "2.0", "3.0", "4.0", "4.1"]);
    expect(table.newEvents.map((entry) => entry.event.event)).toEqual(["scored", "paid"]);
  });

  it("never goes back to an older frame, nor begins anew with the same", () => {
    const table = new Table(PIG, {} as never, frame(5));
    const { frame: shown } = table;
    table.show(frame(4));
    table.show(frame(5));

    expect(table.frame).toBe(shown);
  });

  it("lets nobody act who does not decide, watches, or is not connected", () => {
    const table = new Table(PIG, {} as never, frame(1));
    expect(table.canAct).toBe(false);
    table.connection = { state: "live", cameBack: false };
    expect(table.canAct).toBe(true);
    table.show(frame(2, { deciding: [] }));
    expect(table.canAct).toBe(false);
    table.show(frame(3, { viewer: null }));
    expect(table.canAct).toBe(false);
  });

  it("knows the drafts of its version, until the next one or another connection", () => {
    const table = new Table(PIG, {} as never, frame(1));
    table.noteDraft({ version: 1, seat: 1, draft: "a" });
    table.noteDraft({ version: 1, seat: 0, draft: "b" });
    table.noteDraft({ version: 2, seat: 1, draft: "later" });
    expect([...table.drafts]).toEqual([[1, "a"], [0, "b"]]);
    table.noteDraft({ version: 1, seat: 1, draft: null });
    expect([...table.drafts]).toEqual([[0, "b"]]);
    table.show(frame(2));
    expect([...table.drafts]).toEqual([]);
    table.noteDraft({ version: 2, seat: 1, draft: "c" });
    table.setConnection({ state: "away", retryAt: 0 });
    expect([...table.drafts]).toEqual([]);
  });

  it("keeps the refusal of a choice until the next one", async () => {
    const table = new Table(PIG, {} as never, frame(1));
    const refused = new RefusalError({ code: "no_rerolls", sentence: "no reroll is left" }, 400);
    let fails = true;
    table.connectTo({ act: () => (fails ? Promise.reject(refused) : Promise.resolve()), close: () => undefined });

    expect(await table.act({ type: "reroll" } as never)).toBe(false);
    expect(table.refusal?.sentence).toBe("no reroll is left");
    fails = false;
    expect(await table.act({ type: "score" } as never)).toBe(true);
    expect(table.refusal).toBeNull();
  });
});
