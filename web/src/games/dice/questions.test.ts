import { expect, it } from "vitest";
import { buildQuestion, dieText, keepQuestion, rollQuestion, scoreQuestion, shopQuestion, waysQuestion } from "./questions";
import { RULES, viewOf } from "./test_data";

const build = { rules: RULES, dice: Array<string>(5).fill("normal"), items: [], levels: {} };

it("asks about the dice on the table with the boss that is there", () => {
  const view = viewOf({ boss: "lockdown", fixed: { place: 1, face: 5 } });
  const table = { ...build, boss: "lockdown", fixed: { place: 1, face: 5 } };
  const lying = { ...build, boss: "lockdown" };

  expect(scoreQuestion(view, RULES)).toEqual({ ...lying, faces: view.faces });
  expect(keepQuestion(view, RULES, "target")).toEqual({
    ...table,
    faces: view.faces,
    wilds_set: [],
    rerolls: 2,
    target: 72,
    every_choice: true,
  });
  expect(keepQuestion(view, RULES, "points")).toMatchObject({ target: null });
  expect(rollQuestion(view, RULES, 72)).toEqual({ ...table, target: 72 });
  expect(buildQuestion(view, RULES)).toEqual({ ...build });
  expect(waysQuestion(view, RULES, [[1, 1, 1, 1, 1]])).toEqual({ count: 1, same: lying, each: { faces: [[1, 1, 1, 1, 1]] } });
  expect(shopQuestion(view, RULES, "all")).toBeNull();
});

it("asks about the next round in the shop, where the boss has gone", () => {
  const view = viewOf({
    stage: "shop",
    boss: "miser",
    stock: { dice: [{ kind: "glass", level: 1 }], items: [], upgrades: ["pair"], free_choices: 1 },
  });

  expect(buildQuestion(view, RULES)).toEqual({ ...build, stock: view.stock, round: 4 });
  expect(shopQuestion(view, RULES, "all")).toEqual({ ...build, round: 4, money: 12, stock: view.stock });
  expect(shopQuestion(view, RULES, "without_dice")).toMatchObject({ stock: { ...view.stock, dice: [] } });
  expect(shopQuestion(view, RULES, "next_round")).toMatchObject({ stock: { dice: [], items: [], upgrades: [], free_choices: 1 } });
  expect(rollQuestion(view, RULES, null)).toEqual({ ...build, target: null });
  expect([scoreQuestion(view, RULES), keepQuestion(view, RULES, "target"), waysQuestion(view, RULES, [[1]])]).toEqual([null, null, null]);
});

it("writes dice as the rules do", () => {
  expect([dieText({ kind: "glass", level: 2 }), dieText({ kind: "glass" })]).toEqual(["glass+2", "glass"]);
});
