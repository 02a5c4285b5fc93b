// @vitest-environment happy-dom
/** Whatever a browser has kept, seats and settings are read, and what is none is passed over. */
import { beforeEach, describe, expect, it } from "vitest";
import { removeSeat, saveSeat, saveSetting, loadSeats, loadSetting, findSeat, type StoredSeat } from "./storage";

const SEAT: StoredSeat = { match: "8a72b6cb394abcbc03f1", game: "pig", seat: 1, token: "9d1f", name: "Ann", joinedAt: 5 };

beforeEach(() => localStorage.clear());

describe("seats", () => {
  it("are found again, the latest first, until they are forgotten", () => {
    saveSeat(SEAT);
    saveSeat({ ...SEAT, match: "other" });

    expect(loadSeats().map((kept) => kept.match)).toEqual(["other", SEAT.match]);
    expect(findSeat(SEAT.match)).toEqual(SEAT);
    removeSeat(SEAT.match);
    expect(findSeat(SEAT.match)).toBeUndefined();
  });

  it.each(["null", "5", "{}", "no JSON", '"text"', "[null, 5, [], {}]"])("are none where %s was kept", (text) => {
    localStorage.setItem("oddsmith.seats", text);

    expect(loadSeats()).toEqual([]);
  });

  it.each([
    { match: 5 },
    { match: "../games" },
    { game: "../pig" },
    { game: null },
    { seat: "first" },
    { token: 7 },
    { token: "a\nb" },
    { name: null },
    { joinedAt: "now" },
  ])("are passed over where they have %o", (wrong) => {
    localStorage.setItem("oddsmith.seats", JSON.stringify([{ ...SEAT, ...wrong }, SEAT]));

    expect(loadSeats()).toEqual([SEAT]);
  });
});

describe("settings", () => {
  it("are found again", () => {
    saveSetting("theme", "dark");

    expect(loadSetting<string>("theme", "auto", ["auto", "dark"])).toBe("dark");
  });

  it.each(["null", "5", "{}", "no JSON", '"green"', "true"])("are the usual where %s was kept", (text) => {
    localStorage.setItem("oddsmith.theme", text);

    expect(loadSetting<string>("theme", "auto", ["auto", "dark"])).toBe("auto");
  });
});
