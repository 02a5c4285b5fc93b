import { beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../../api/http";
import { QuestionDraft } from "./draft.svelte";
import type { QuestionForm } from "./questions_api";

const FORM: QuestionForm = {
  name: "odds",
  summary: "",
  description: "",
  request: {
    type: "object",
    properties: {
      rules: {},
      target: { type: "string" },
      at: { type: "integer", default: 0 },
      who: { anyOf: [{ type: "string" }, { type: "object", properties: { level: { type: "integer", default: 1 } } }], default: {} },
    },
    required: ["target"],
  },
  reply: {
    type: "object",
    properties: { at: { type: "integer" }, win: { type: "string", pattern: "^-?[0-9]+(/0*[1-9][0-9]*)?$", "x-unit": "chance" } },
  },
  example: { target: "burglary", who: { level: 4 } },
  text_fields: [],
  draws: false,
};
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));
let requests: [path: string, body: unknown][] = [];

beforeEach(() => {
  requests = [];
  vi.spyOn(http, "post").mockImplementation(async (path, body) => {
    if (path.startsWith("/games/")) return { rules: { rounds: 20 }, rules_id: "", toml: "", seats: { fewest: 1, most: 2 } } as never;
    requests.push([path, body]);
    const { target, values = [] } = body as { target?: string; values?: number[] };
    if (target === "arson")
      throw new http.RefusalError({ code: "unknown_target", sentence: "target: expected text", where: "target" }, 400);
    if (path.endsWith("/curve")) return { over: "at", points: values.map((at) => ({ at, reply: { win: `${at}/100` } })) } as never;
    return { at: 0, win: "1/4" } as never;
  });
});

async function startDraft(link: string | null = null): Promise<QuestionDraft> {
  const draft = new QuestionDraft("pig", FORM);
  expect(draft.begin(link)).toBe(true);
  await settle();
  return draft;
}

describe("a question that is filled in", () => {
  it("is asked on demand, with what was changed and what is required", async () => {
    const draft = await startDraft();
    expect([draft.link, requests]).toEqual(["", []]);
    draft.fillInExample();
    await draft.ask();

    expect(requests).toEqual([["/pig/odds", { target: "burglary", who: { level: 4 } }]]);
    expect([draft.answer?.reply, draft.isFresh]).toEqual([{ at: 0, win: "1/4" }, true]);
    draft.values = { ...draft.values, at: 3 };
    expect(draft.isFresh).toBe(false);
  });
  it("shows a refusal at the field that it names until a field is changed", async () => {
    const draft = await startDraft();
    draft.values = { ...draft.values, target: "arson" };
    await draft.ask();

    expect([draft.wrongAt?.text, draft.wrongAt?.refusal.sentence, draft.answer]).toEqual(["target", "expected text", null]);
    draft.values = { ...draft.values, target: "burglary" };
    expect([draft.wrongAt, draft.error]).toEqual([null, null]);
  });
  it("comes back from its link, asked and with its curve", async () => {
    const draft = await startDraft();
    draft.fillInExample();
    await draft.ask();
    draft.choose({ over: "at" });
    draft.choose({ from: 1, to: 3, points: 3 });
    await draft.draw();
    const { link, drawnCurve } = draft;
    requests = [];
    const other = await startDraft(link);
    await settle();

    expect(other.values).toEqual({ target: "burglary", at: 0, who: { level: 4 } });
    expect(requests.map(([path]) => path)).toEqual(["/pig/odds", "/pig/odds/curve"]);
    expect(requests[1]![1]).toEqual({ ask: { target: "burglary", who: { level: 4 } }, over: "at", values: [1, 2, 3], read: ["win"] });
    expect(other.drawnCurve?.curve).toEqual(drawnCurve?.curve);
    expect(other.link).toBe(link);
  });
  it("says of a link that it cannot be read, and begins anew", async () => {
    const draft = new QuestionDraft("pig", FORM);

    expect([draft.begin("eyJhIjp7InMi"), draft.begin("WzFd")]).toEqual([false, false]);
    await settle();
    expect([draft.link, requests]).toEqual(["", []]);
  });
  it("draws the chance of the answer along the number that was set", async () => {
    const draft = await startDraft();
    draft.fillInExample();
    await draft.ask();

    expect(draft.curve).toMatchObject({ over: "who.level", read: "win", from: 1, to: 21, points: 21 });
  });
});
