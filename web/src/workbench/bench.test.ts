import { beforeEach, describe, expect, it, vi } from "vitest";
import * as http from "../api/http";
import { Bench, type BenchParts } from "./bench.svelte";
import { read, written } from "./link";
import { has, isNumber, isText } from "./shapes";
import * as casino from "./casino/setting";
import * as destiny from "./destiny/setting";
import * as dice from "./dice/setting";
import * as duel from "./duel/setting";
import * as fate from "./fate/setting";

type Setting = { level: number; name: string };
const PARTS = {
  tools: ["check", "contest"],
  start: () => ({ level: 1, name: "rose" }),
  fits: has<Setting>({ level: isNumber, name: isText }),
} as unknown as BenchParts<Setting>;
const RULES: Record<string, object> = { default: { rounds: 20, house: { hp: 50 } }, fresh: { rounds: 20, house: { hp: 60 } } };
const settle = (): Promise<void> => new Promise((done) => setTimeout(done));

beforeEach(() => {
  vi.spyOn(http, "get").mockImplementation((path) => {
    const rules = RULES[path.split("/").at(-1)!];
    return (rules ? Promise.resolve(rules) : Promise.reject(new http.Refused({ code: "unknown_preset", sentence: "no such rules" }, 404))) as never;
  });
});

describe("the workbench", () => {
  it("has no link before anything is changed", async () => {
    const bench = new Bench("duel", PARTS);
    expect(bench.begin(null)).toBe(true);
    await settle();

    expect(bench.link).toBe("");
    expect(bench.asked((side, rules) => ({ level: side.setting.level, rules }))).toEqual([{ level: 1, rules: "default" }]);
  });

  it("comes back from its link as it was: settings, rules, what is asked, B beside A", async () => {
    const bench = new Bench("duel", PARTS);
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
    const other = new Bench("duel", PARTS);

    expect(other.begin(bench.link)).toBe(true);
    await settle();
    expect([other.tool, other.compares, other.a.setting, other.b.setting]).toEqual(["contest", true, { level: 5, name: "rose" }, { level: 5, name: "jack" }]);
    expect([other.a.draft.given, other.b.draft.given]).toEqual(["fresh", { house: { hp: 70 } }]);
    expect(read(bench.link!)).toEqual({ t: "contest", a: { s: { level: 5 }, p: "fresh" }, b: { s: { name: "jack" }, p: "fresh", c: { house: { hp: 70 } } } });
  });

  it("swaps settings and rules", async () => {
    const bench = new Bench("duel", PARTS);
    bench.begin(written({ a: { s: { level: 2 }, p: "fresh" }, b: { s: { level: 3 } } }));
    await settle();
    bench.swap();
    await settle();

    expect([bench.a.setting.level, bench.b.setting.level]).toEqual([3, 2]);
    expect([bench.a.draft.preset, bench.b.draft.preset]).toEqual(["default", "fresh"]);
  });

  it.each([{ t: "nothing" }, { a: { s: { level: "5" } } }, { a: { s: { strange: 1 } } }, { a: 5 }, { b: [] }, { a: { p: 7 } }, 5, null])("begins anew where a link has %j", (told) => {
    const bench = new Bench("duel", PARTS);

    expect(bench.begin(written(told as never))).toBe(false);
    expect([bench.a.setting, bench.compares]).toEqual([{ level: 1, name: "rose" }, false]);
  });

  it("says that rules could not be had, and takes others", async () => {
    const bench = new Bench("duel", PARTS);
    bench.begin(written({ a: { p: "nonesuch" } }));
    await settle();
    expect(http.refusalOf(bench.a.trouble).sentence).toBe("no such rules");
    await bench.a.take("default", {});
    expect(bench.a.trouble).toBeNull();
  });

  it.each([casino, destiny, dice, duel, fate])("knows the shape of what each game begins with", (game) => {
    expect(game.fits(game.start())).toBe(true);
    expect(game.fits({ ...game.start(), more: 1 })).toBe(false);
  });
});

describe("settings of games", () => {
  it("takes a card of the Fate Deck back when all its copies lie somewhere", () => {
    const deck = fate.start().deck;
    const once = fate.put(deck, "3♠", "top", 2);
    const twice = fate.put(once, "3♠", "seen", 2);

    expect([twice.top, twice.seen]).toEqual([["3♠"], ["3♠"]]);
    expect(fate.put(twice, "3♠", "out", 2)).toEqual(deck);
  });

  it("asks about abilities only where there is something to reach", () => {
    expect(fate.abilitiesOf({ ...fate.start(), target: null, triggers: [" "] }, "default")).toBeNull();
    expect(fate.abilitiesOf({ ...fate.start(), target: null }, "default")).toMatchObject({ trigger: "single(spade)" });
  });

  it("says dice as people do", () => {
    expect(dice.poolText(["normal", "glass+2", "normal"])).toBe("2 × normal, glass+2");
    expect(dice.readDie("glass+2")).toEqual({ kind: "glass", level: 2 });
    expect([dice.dieText("odd", 0), dice.dieText("odd", 3)]).toEqual(["odd", "odd+3"]);
    expect(dice.questionOf({ ...dice.start(), boss: "lockdown", held: 2 }, "default", { target: true, rerolls: false })).toMatchObject({ fixed: { place: 2, face: 1 }, target: 90, rerolls: null });
    expect(dice.bossesOf({ ...dice.start(), boss: "miser" }, { bosses: { kinds: ["inverter"] } })).toEqual(["inverter", "miser"]);
  });

  it("finds characters, thresholds and members of the Destiny Deck in its rules", () => {
    const rules = { outlaws: { rose: { skills: { stealth: 4 } } }, crimes: { bank: { threshold: 275 } }, skill_checks: { easy: 100 } };

    expect(destiny.sheetOf("rose", rules)).toEqual({ skills: { stealth: 4 }, bonuses: {}, items: [], location: null, buffs: {} });
    expect(destiny.sheetOf("veteran", rules)).toBeNull();
    expect([destiny.thresholdOf("bank", rules), destiny.thresholdOf("easy", rules), destiny.thresholdOf("x", rules), destiny.thresholdOf(7, rules)]).toEqual([275, 100, null, 7]);
    expect(destiny.membersOf({ rose: 2, jack: 0 })).toEqual(["rose", "rose"]);
    expect(destiny.levelsOf(100)).toHaveLength(21);
    expect(destiny.levelsOf(30).at(-1)).toBe(30);
    expect(destiny.withoutSkill({ ...destiny.sheetOf("rose", rules)! }, "stealth")).toMatchObject({ skills: {} });
    expect(destiny.withoutSkill("rose", "stealth")).toBe("rose");
  });

  it("asks about splits only of whole hands, and about what the house shows only where it shows it", () => {
    expect(duel.splitQuestion({ ...duel.start(), hand: ["A♠"] }, "default", true)).toBeNull();
    expect(duel.splitQuestion(duel.start(), "default", true)).toMatchObject({ enemy: [25, 10] });
    expect(duel.splitQuestion(duel.start(), "hidden", false)).toMatchObject({ enemy: null });
  });

  it("shows a table of Casino as seat 0 sees it", () => {
    const setting = { ...casino.start(), players: 3, mine: ["A♠"], builds: [{ cards: [], owner: 0 }] };

    expect(casino.viewOf(setting)).toMatchObject({ hand_sizes: [4, 4, 4], builds: [], piles: [["A♠"], [], []], last_capture: 0 });
    expect(casino.viewOf(casino.start())).not.toHaveProperty("piles");
    expect(casino.elsewhere(setting, setting.hand)).toEqual(["3♠", "4♥", "8♣", "K♣", "A♠"]);
  });
});
