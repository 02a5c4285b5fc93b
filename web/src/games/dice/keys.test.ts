// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { shortcutOf } from "./keys";

const at = (html: string): Element => {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  return holder.firstElementChild!;
};
const press = (key: string, more: object = {}) =>
  shortcutOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, defaultPrevented: false, target: document.body, ...more });

it("knows the dice by 1 to 9 and 0, and R, S and Enter", () => {
  expect(press("1")).toEqual({ toggle: 0 });
  expect(press("9")).toEqual({ toggle: 8 });
  expect(press("0")).toEqual({ toggle: 9 });
  expect([press("r"), press("R"), press("s"), press("Enter")]).toEqual(["reroll", "reroll", "score", "score"]);
  expect(press("x")).toBeNull();
});

it("leaves keys to the browser, to who types, to dialogs and to other controls", () => {
  expect(press("r", { ctrlKey: true })).toBeNull();
  expect(press("r", { repeat: true })).toBeNull();
  expect(press("r", { target: at("<input type='text'>") })).toBeNull();
  expect(press("r", { target: at("<dialog></dialog>") })).toBeNull();
  expect(press("Enter", { target: at("<button></button>") })).toBeNull();
  expect(press("2", { target: at("<button></button>") })).toEqual({ toggle: 1 });
  expect(press("2", { target: at("<input type='checkbox'>") })).toEqual({ toggle: 1 });
});
