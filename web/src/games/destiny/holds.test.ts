import { expect, test } from "vitest";
import { holdAction, priceOf, STAND } from "./holds";

const HAND = ["3♠", "K♠", "7♥", "A♣", "K♦"];

test("what is held is given in the order of the hand", () => {
  expect(holdAction(HAND, [4, 1])).toEqual({ type: "hold", places: [1, 4] });
  expect(holdAction(HAND, [])).toEqual({ type: "hold", places: [] });
});

test("to hold every card is to stand", () => {
  expect(holdAction(HAND, [0, 1, 2, 3, 4])).toEqual(STAND);
});

test("the price of an exchange is said where there is one", () => {
  expect(priceOf({ times: 1, cards: 3, energy: 0, gold: 0 })).toBe("");
  expect(priceOf({ times: 2, cards: 5, energy: 5, gold: 1 })).toBe("5 energy + $1");
});
