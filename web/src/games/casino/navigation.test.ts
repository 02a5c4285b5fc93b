import { expect, it } from "vitest";
import { isArrow, nearest } from "./navigation";

const box = (left: number, top: number) => ({ left, top, width: 10, height: 14 });
const ROW = [box(0, 0), box(20, 0), box(40, 0)];

it("moves to the next card in a row", () => {
  expect(nearest(ROW[1]!, ROW, "ArrowRight")).toBe(2);
  expect(nearest(ROW[1]!, ROW, "ArrowLeft")).toBe(0);
  expect(nearest(ROW[2]!, ROW, "ArrowRight")).toBe(-1);
});

it("prefers what lies ahead to what lies aside", () => {
  expect(nearest(box(20, 60), [...ROW, box(60, 50)], "ArrowUp")).toBe(1);
  expect(nearest(ROW[0]!, [box(38, 60), box(2, 80)], "ArrowDown")).toBe(1);
});

it("knows arrows from other keys", () => {
  expect(["ArrowUp", "Enter", "a"].map(isArrow)).toEqual([true, false, false]);
});
