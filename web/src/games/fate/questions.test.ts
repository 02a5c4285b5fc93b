import { expect, test } from "vitest";
import type { LogEvent } from "../../match/table.svelte";
import { answerQuestion, certaintyOfAll, keepsQuestion } from "./questions";
import type { Rules, View } from "./deck";
import { resolvedChecks } from "./history";

const RULES = { turns: 12 } as unknown as Rules;
const MEMORY = { deck: [null], discard: [], sets: [], unseen: ["A♠"] };
const CHECK = { caller: 0, player: 2, name: "omen", on_turn: false, due: 0, hand: ["3♠", "J♥"], aside: [], extras: 1, redraws: 0, judged: [], fired: [] };
const at = (stage: View["stage"], check: View["check"] = CHECK): View => ({ stage, check, memory: MEMORY }) as unknown as View;

test("the check at hand is asked about with the memory as it came", () => {
  expect(answerQuestion(at("answer"), RULES)).toEqual({
    rules: RULES, memory: MEMORY, check: "omen", player: 2, on_turn: false, hand: ["3♠", "J♥"],
  });
  expect([answerQuestion(at("keep"), RULES), answerQuestion(at("answer", null), RULES)]).toEqual([null, null]);
});

test("what each choice of cards comes to is asked at once", () => {
  expect(keepsQuestion(at("keep"), RULES, [[0], [1]])).toEqual({
    count: 2,
    same: { rules: RULES, memory: MEMORY, check: "omen", player: 2, on_turn: false },
    each: { hand: [["3♠"], ["J♥"]] },
  });
  expect([keepsQuestion(at("keep"), RULES, []), keepsQuestion(at("answer"), RULES, [[0]])]).toEqual([null, null]);
});

test("several chances are exact only where all are", () => {
  const words = (...given: ("exact" | "before_talents" | "estimate")[]) => certaintyOfAll(given.map((certainty) => ({ certainty })));
  expect([words("exact", "exact"), words("exact", "before_talents"), words("before_talents", "estimate")]).toEqual(["exact", "before talents", "estimate"]);
});

test("checks are told the latest first", () => {
  const log = ["easy", "hard", "oath"].flatMap((check, version) => [
    { key: `${version}.0`, version, byClock: false, event: { event: "drawn", player: 1, card: "3♠", left: 9 } },
    { key: `${version}.1`, version, byClock: false, event: { event: "resolved", player: 1, check, result: { total: version } } },
  ]) as unknown as LogEvent<"fate">[];
  expect(resolvedChecks(log, 2).map((one) => [one.key, one.check])).toEqual([["2.1", "oath"], ["1.1", "hard"]]);
});
