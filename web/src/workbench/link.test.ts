import { describe, expect, it } from "vitest";
import { deltaOf, applyDelta, LONGEST, decodeLink, encodeLink, type Json } from "./link";

const BASE: Json = { who: { skills: { lockpicking: 50, stealth: 40 }, items: ["charm"] }, target: "bank", bonus: null };

describe("links", () => {
  it("holds only what differs, and gives all of it back", () => {
    const value: Json = { who: { skills: { lockpicking: 80, mining: 3 }, items: [] }, target: 275, bonus: null };
    const delta = deltaOf(BASE, value);

    expect(delta).toEqual({ who: { skills: { lockpicking: 80, mining: 3, "~": ["stealth"] }, items: [] }, target: 275 });
    expect(applyDelta(BASE, delta)).toEqual(value);
  });

  it("is empty where nothing differs", () => {
    expect(deltaOf(BASE, structuredClone(BASE))).toBeUndefined();
    expect(applyDelta(BASE, undefined)).toEqual(BASE);
  });

  it("replaces a table by a text, and the other way round", () => {
    expect(applyDelta({ who: "rose" }, deltaOf({ who: "rose" }, { who: { skills: {} } }))).toEqual({ who: { skills: {} } });
    expect(applyDelta(BASE, deltaOf(BASE, { ...BASE, who: "rose" }))).toEqual({ ...BASE, who: "rose" });
  });

  it("writes any text with letters that stand in an address", () => {
    const text = encodeLink({ hand: ["10♠", "7♥"], note: "¿?&=/+" })!;

    expect(text).toMatch(/^[\w-]+$/);
    expect(decodeLink(text)).toEqual({ hand: ["10♠", "7♥"], note: "¿?&=/+" });
  });

  it("is never longer than links may be", () => {
    expect(encodeLink({ note: "x".repeat(LONGEST) })).toBeNull();
    expect(decodeLink("A".repeat(LONGEST + 4))).toBeUndefined();
  });

  it.each(["%%%", "abc", "", "e30=", "_____", "w6k"])("says that %j cannot be read", (text) => {
    expect(decodeLink(text)).toBeUndefined();
  });
});
