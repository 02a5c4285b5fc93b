// @vitest-environment happy-dom
/** What is dragged is dropped once, where it is let go, or put back. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { draggable } from "./drag";

let node: HTMLElement;
let target: HTMLElement;
let calls: string[];
let release: () => void;

const point = (type: string, x: number, more: object = {}): void =>
  void node.dispatchEvent(
    Object.assign(new MouseEvent(type, { bubbles: true, button: 0, clientX: x, clientY: 0, ...more }), { pointerId: 1, ...more }),
  );
const press = (key: string): boolean => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
  node = document.body.appendChild(document.createElement("button"));
  target = document.body.appendChild(document.createElement("div"));
  target.dataset.drop = "table";
  node.setPointerCapture = () => undefined;
  node.addEventListener("click", () => calls.push("click"));
  document.elementsFromPoint = (x) => (x > 50 ? [target] : []);
  release = draggable<string>(() => ({
    thing: "card",
    enabled: true,
    onstart: (thing) => calls.push(`start ${thing}`),
    onover: (drop) => calls.push(`over ${drop}`),
    ondrop: (thing, drop) => calls.push(`drop ${thing} ${drop}`),
    onend: () => calls.push("end"),
  }))(node);
});
afterEach(() => {
  release();
  document.body.replaceChildren();
  vi.useRealTimers();
});

it("is dropped on what lies below the pointer, and is no click", () => {
  point("pointerdown", 0);
  point("pointermove", 80);
  point("pointerup", 80);
  point("click", 80);

  expect(calls).toEqual(["start card", "over table", "drop card table", "end"]);
  expect(node.hasAttribute("data-dragging")).toBe(false);
});

it("stays a click where nothing moves", () => {
  point("pointerdown", 0);
  point("pointermove", 3);
  point("pointerup", 3);
  point("click", 3);

  expect(calls).toEqual(["click"]);
});

it.each(["by Escape", "by the system"])("is put back %s, wherever it is let go then", (how) => {
  point("pointerdown", 0);
  point("pointermove", 80);
  if (how === "by Escape") expect(press("Escape")).toBe(false);
  else point("pointercancel", 80);
  point("pointermove", 90);
  point("pointerup", 90);
  point("click", 90);

  expect(calls).toEqual(["start card", "over table", "end"]);
  expect(node.hasAttribute("data-dragging")).toBe(false);
});

it("can be dragged again after it was put back", () => {
  point("pointerdown", 0);
  point("pointermove", 80);
  press("Escape");
  point("pointerup", 80);
  calls = [];
  vi.runAllTimers();
  point("pointerdown", 0);
  point("pointerup", 0);
  point("click", 0);

  expect(calls).toEqual(["click"]);
});

it("is held by one finger at a time", () => {
  point("pointerdown", 0);
  point("pointermove", 80);
  point("pointerdown", 0, { pointerId: 2 });
  point("pointerup", 0, { pointerId: 2 });
  point("pointerup", 80);

  expect(calls.filter((line) => line.startsWith("drop"))).toEqual(["drop card table"]);
});

it("leaves other keys to the page, and Escape where nothing is dragged", () => {
  point("pointerdown", 0);

  expect(press("Escape")).toBe(true);
  point("pointermove", 80);
  expect(press("Tab")).toBe(true);
});

it("is let go when it leaves the page", () => {
  point("pointerdown", 0);
  point("pointermove", 80);
  release();

  expect(calls.at(-1)).toBe("end");
  expect(press("Escape")).toBe(true);
});
