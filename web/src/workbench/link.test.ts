import { describe, expect, it } from "vitest";
import { difference, laidOver, LONGEST, read, written, type Json } from "./link";

const BASE: Json = { who: { skills: { lockpicking: 50, stealth: 40 }, items: ["charm"] }, target: "bank", bonus: null };

describe("links", () => {
  it("holds only what differs, and gives all of it back", () => {
    const value: Json = { who: { skills: { lockpicking: 80, mining: 3 }, items: [] }, target: 275, bonus: null };
    const told = difference(BASE, value);

    expect(told).toEqual({ who: { skills: { lockpicking: 80, mining: 3, "~": ["stealth"] }, items: [] }, target: 275 });
    expect(laidOver(BASE, told)).toEqual(value);
  });

  it("is empty where nothing differs", () => {
    expect(difference(BASE, structuredClone(BASE))).toBeUndefined();
    expect(laidOver(BASE, undefined)).toEqual(BASE);
  });

  it("replaces a table by a text, and the other way round", () => {
    expect(laidOver({ who: "rose" }, difference({ who: "rose" }, { who: { skills: {} } }))).toEqual({ who: { skills: {} } });
    expect(laidOver(BASE, difference(BASE, { ...BASE, who: "rose" }))).toEqual({ ...BASE, who: "rose" });
  });

  it("writes any text with letters that stand in an address", () => {
    const text = written({ hand: ["10♠", "7♥"], note: "¿?&=/+" })!;

    expect(text).toMatch(/^[\w-]+$/);
    expect(read(text)).toEqual({ hand: ["10♠", "7♥"], note: "¿?&=/+" });
  });

  it("is never longer than links may be", () => {
    expect(written({ note: "x".repeat(LONGEST) })).toBeNull();
    expect(read("A".repeat(LONGEST + 4))).toBeUndefined();
  });

  it.each(["%%%", "abc", "", "e30=", "_____", "w6k"])("says that %j cannot be read", (text) => {
    expect(read(text)).toBeUndefined();
  });
});
