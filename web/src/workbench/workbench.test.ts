import { beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../api/http";
import { Workbench, type WorkbenchParts } from "./workbench.svelte";
import { decodeLink, encodeLink } from "./link";
import { has, isNumber, isText } from "./shapes";

type Setting = { level: number; name: string };
const PARTS = {
  tools: ["check", "contest"],
  start: () => ({ level: 1, name: "rose" }),
  fits: has<Setting>({ level: isNumber, name: isText }),
} as unknown as WorkbenchParts<Setting>;
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
    const workbench = new Workbench("pig", PARTS);
    expect(workbench.begin(null)).toBe(true);
    await settle();

    expect(workbench.link).toBe("");
    expect(workbench.requests((side, rules) => ({ level: side.setting.level, rules }))).toEqual([{ level: 1, rules: "default" }]);
  });

  it("comes back from its link as it was: settings, rules, what is asked, B beside A", async () => {
    const workbench = new Workbench("pig", PARTS);
    workbench.begin(null);
    await settle();
    workbench.tool = "contest";
    workbench.a.setting.level = 5;
    await workbench.a.take("fresh", {});
    workbench.copy();
    workbench.compares = true;
    workbench.b.setting.name = "jack";
    await settle();
    workbench.b.setRule(["house", "hp"], 70);
    const other = new Workbench("pig", PARTS);

    expect(other.begin(workbench.link)).toBe(true);
    await settle();
    expect([other.tool, other.compares, other.a.setting, other.b.setting]).toEqual([
      "contest",
      true,
      { level: 5, name: "rose" },
      { level: 5, name: "jack" },
    ]);
    expect([other.a.draft.given, other.b.draft.given]).toEqual(["fresh", { house: { hp: 70 } }]);
    expect(decodeLink(workbench.link!)).toEqual({
      t: "contest",
      a: { s: { level: 5 }, p: "fresh" },
      b: { s: { name: "jack" }, p: "fresh", c: { house: { hp: 70 } } },
    });
  });

  it("swaps settings and rules", async () => {
    const workbench = new Workbench("pig", PARTS);
    workbench.begin(encodeLink({ a: { s: { level: 2 }, p: "fresh" }, b: { s: { level: 3 } } }));
    await settle();
    workbench.swap();
    await settle();

    expect([workbench.a.setting.level, workbench.b.setting.level]).toEqual([3, 2]);
    expect([workbench.a.draft.preset, workbench.b.draft.preset]).toEqual(["default", "fresh"]);
  });

  it.each([{ t: "nothing" }, { a: { s: { level: "5" } } }, { a: { s: { strange: 1 } } }, { a: 5 }, { b: [] }, { a: { p: 7 } }, 5, null])(
    "begins anew where a link has %j",
    (told) => {
      const workbench = new Workbench("pig", PARTS);

      expect(workbench.begin(encodeLink(told as never))).toBe(false);
      expect([workbench.a.setting, workbench.compares]).toEqual([{ level: 1, name: "rose" }, false]);
    },
  );

  it("says that rules could not be had, and takes others", async () => {
    const workbench = new Workbench("pig", PARTS);
    workbench.begin(encodeLink({ a: { p: "nonesuch" } }));
    await settle();
    expect(http.refusalOf(workbench.a.trouble).sentence).toBe("no such rules");
    await workbench.a.take("default", {});
    expect(workbench.a.trouble).toBeNull();
  });
});
