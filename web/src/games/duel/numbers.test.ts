import { expect, it } from "vitest";
import { damageOf, leftOf, tradeOf } from "./numbers";

it("whole damage is whole, and a mean says that it is one", () => {
  expect(damageOf("26")).toEqual({ text: "26", isMean: false, exact: "26" });
  expect(damageOf("55/3")).toEqual({ text: "18.3", isMean: true, exact: "55/3" });
});

it("a trade has its sign", () => {
  expect(tradeOf("26", "25")).toBe("+1");
  expect(tradeOf("1", "17")).toBe("−16");
  expect(tradeOf("5", "5")).toBe("0");
  expect(tradeOf("1/2", "1/4")).toBe("+0.3");
});

it("damage leaves what is left of hit points, and never less than none", () => {
  expect(leftOf(80, "26")).toBe(54);
  expect(leftOf(20, "26")).toBe(0);
  expect(leftOf(20, "26/3")).toBeNull();
});
