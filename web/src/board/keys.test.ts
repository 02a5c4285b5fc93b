// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { digitOf, shortcutOf } from "./keys";

const press = (key: string, more: object = {}) => shortcutOf({ key, ctrlKey: false, metaKey: false, altKey: false, repeat: false, defaultPrevented: false, target: document.body, ...more });

describe("a key", () => {
  it("is a digit for a control, and an arrow for pieces", () => {
    expect(["1", "9", "0"].map((key) => press(key))).toEqual([{ control: 0 }, { control: 8 }, { control: 9 }]);
    expect(["ArrowLeft", "ArrowRight"].map((key) => press(key))).toEqual([{ move: -1 }, { move: 1 }]);
    expect([digitOf(0), digitOf(9), digitOf(10)]).toEqual(["1", "0", null]);
  });

  it("does nothing in a text field, with another key, or while it is held", () => {
    const input = document.createElement("input");

    expect([press("1", { target: input }), press("1", { ctrlKey: true }), press("1", { repeat: true }), press("x")]).toEqual([null, null, null, null]);
  });
});
