import { beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../api/http";
import { LatestQuery } from "./queries.svelte";

type SentRequest = { body: unknown; answer: (reply: unknown) => void; refuse: (error: unknown) => void };
let sent: SentRequest[] = [];
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(() => {
  sent = [];
  vi.spyOn(http, "post").mockImplementation(
    (_, body) => new Promise((answer, refuse) => sent.push({ body, answer, refuse }) as never) as never,
  );
});

describe("a question that follows a slider", () => {
  it("asks at once, one at a time, and next for the newest only", async () => {
    const query = new LatestQuery<string>("/odds");
    for (const level of [1, 2, 3, 4]) query.ask({ level });

    expect(sent.map((one) => one.body)).toEqual([{ level: 1 }]);
    sent[0]!.answer("one");
    await settle();
    expect(sent.map((one) => one.body)).toEqual([{ level: 1 }, { level: 4 }]);
    expect([query.reply, query.isWaiting]).toEqual(["one", true]);
    sent[1]!.answer("four");
    await settle();
    expect([query.reply, query.isWaiting]).toEqual(["four", false]);
  });

  it("does not ask again for what it knows", async () => {
    const query = new LatestQuery<string>("/odds");
    query.ask({ level: 1 });
    sent[0]!.answer("one");
    await settle();
    query.ask({ level: 2 });
    query.ask({ level: 1 });
    sent[1]!.answer("two");
    await settle();

    expect(query.reply).toBe("one");
    expect(sent).toHaveLength(2);
  });

  it("shows a refusal of the newest, and never one of an older", async () => {
    const query = new LatestQuery<string>("/odds");
    const refused = new http.RefusalError({ code: "too_many", sentence: "too many" }, 400);
    query.ask({ level: 1 });
    query.ask({ level: 2 });
    sent[0]!.refuse(refused);
    await settle();
    expect([query.error, query.isWaiting]).toEqual([null, true]);
    sent[1]!.refuse(refused);
    await settle();
    expect([query.error, query.reply, query.isWaiting]).toEqual([refused, null, false]);
  });

  it("tries again by itself where that may help", async () => {
    vi.useFakeTimers();
    const query = new LatestQuery<string>("/odds");
    query.ask({ level: 1 });
    sent[0]!.refuse(new http.RefusalError({ code: "too_many_requests", sentence: "slowly" }, 429, 2));
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
    sent[1]!.answer("one");
    await vi.advanceTimersByTimeAsync(0);
    expect([query.reply, query.error]).toEqual(["one", null]);
    vi.useRealTimers();
  });

  it("forgets everything that is no longer asked", async () => {
    const query = new LatestQuery<string>("/odds");
    query.ask({ level: 1 });
    query.stop();
    sent[0]!.answer("one");
    await settle();

    expect([query.reply, query.isWaiting]).toEqual([null, false]);
  });
});
