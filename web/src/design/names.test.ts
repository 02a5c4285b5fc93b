import { expect, it } from "vitest";
import { breakable } from "./names";

it.each(["", "Ann", "Bartholomew", "Maximilian II. von Habsburg"])("leaves %j as it is", (name) => {
  expect(breakable(name)).toBe(name);
});

it("leaves words alone that are not longer than told", () => {
  expect(breakable("counterfeiting", 20)).toBe("counterfeiting");
});

it("lets a long word be broken, and no character of it", () => {
  expect(breakable("Ann WWWWWWWWWWWWWW").split("\u200b")).toEqual(["Ann WWWWWW", "WWWWWW", "WW"]);
  expect(breakable("😀".repeat(13)).split("\u200b")).toEqual(["😀".repeat(6), "😀".repeat(6), "😀"]);
});
