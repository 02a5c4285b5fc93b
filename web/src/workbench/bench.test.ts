import { beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../api/http";
import { Bench, type BenchParts } from "./bench.svelte";
import { decodeLink, encodeLink } from "./link";
import { has, isNumber, isText } from "./shapes";

type Setting = { level: number; name: string };
const PARTS = {
  tools: ["check", "contest"],
  start: () => ({ level: 1, name: "rose" }),
  fits: has<Setting>({ level: isNumber, name: isText }),
} as unknown as BenchParts<Setting>;
const RULES: Record<string, object> = { default: { rounds: 20, house: { hp: 50 } }, fresh: { rounds: 20, house: { hp: 60 } } };
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(() => {
  vi.spyOn(http, "post").mockImplementation((_, body) => {
    const rules = RULES[(body as { rules: string }).rules];
    return (
      rules
        ? Promise.resolve({ rules, rules_id: "", toml: "", seats: { fewest: 1, most: 2 } })
        : Promise.reject(new http.RefusalError({ code: "unknown_preset", sentence: "no such rules" }, 404))
    ) as never;
  });
});

describe("the workbench", () => {
  it("has no link before anything is changed", async () => {
    const bench = new Bench("pig", PARTS);
    expect(bench.begin(null)).toBe(true);
    await settle();

    expect(bench.link).toBe("");
    expect(bench.requests((side, rules) => ({ level: side.setting.level, rules }))).toEqual([{ level: 1, rules: "default" }]);
  });

  it("comes back from its link as it was: settings, rules, what is asked, B beside A", async () => {
    const bench = new Bench("pig", PARTS);
    bench.begin(null);
    await settle();
    bench.tool = "contest";
    bench.a.setting.level = 5;
    await bench.a.take("fresh", {});
    bench.copy();
    bench.compares = true;
    bench.b.setting.name = "jack";
    await settle();
    bench.b.setRule(["house", "hp"], 70);
    const other = new Bench("pig", PARTS);

    expect(other.begin(bench.link)).toBe(true);
    await settle();
    expect([other.tool, other.compares, other.a.setting, other.b.setting]).toEqual([
      "contest",
      true,
      { level: 5, name: "rose" },
      { level: 5, name: "jack" },
    ]);
    expect([other.a.draft.given, other.b.draft.given]).toEqual(["fresh", { house: { hp: 70 } }]);
    expect(decodeLink(bench.link!)).toEqual({
      t: "contest",
      a: { s: { level: 5 }, p: "fresh" },
      b: { s: { name: "jack" }, p: "fresh", c: { house: { hp: 70 } } },
    });
  });

  it("swaps settings and rules", async () => {
    const bench = new Bench("pig", PARTS);
    bench.begin(encodeLink({ a: { s: { level: 2 }, p: "fresh" }, b: { s: { level: 3 } } }));
    await settle();
    bench.swap();
    await settle();

    expect([bench.a.setting.level, bench.b.setting.level]).toEqual([3, 2]);
    expect([bench.a.draft.preset, bench.b.draft.preset]).toEqual(["default", "fresh"]);
  });

  it.each([{ t: "nothing" }, { a: { s: { level: "5" } } }, { a: { s: { strange: 1 } } }, { a: 5 }, { b: [] }, { a: { p: 7 } }, 5, null])(
    "begins anew where a link has %j",
    (told) => {
      const bench = new Bench("pig", PARTS);

      expect(bench.begin(encodeLink(told as never))).toBe(false);
      expect([bench.a.setting, bench.compares]).toEqual([{ level: 1, name: "rose" }, false]);
    },
  );

  it("says that rules could not be had, and takes others", async () => {
    const bench = new Bench("pig", PARTS);
    bench.begin(encodeLink({ a: { p: "nonesuch" } }));
    await settle();
    expect(http.refusalOf(bench.a.trouble).sentence).toBe("no such rules");
    await bench.a.take("default", {});
    expect(bench.a.trouble).toBeNull();
  });
});
