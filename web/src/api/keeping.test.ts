// @vitest-environment happy-dom
/** Whatever a browser has kept, seats and settings are read, and what is none is passed over. */
import { beforeEach, describe, expect, it } from "vitest";
import { forgetSeat, keepSeat, keepSetting, keptSeats, keptSetting, seatOf, type KeptSeat } from "./keeping";

const SEAT: KeptSeat = { match: "8a72b6cb394abcbc03f1", game: "pig", seat: 1, token: "9d1f", name: "Ann", joinedAt: 5 };

beforeEach(() => localStorage.clear());

describe("seats", () => {
  it("are found again, the latest first, until they are forgotten", () => {
    keepSeat(SEAT);
    keepSeat({ ...SEAT, match: "other" });

    expect(keptSeats().map((kept) => kept.match)).toEqual(["other", SEAT.match]);
    expect(seatOf(SEAT.match)).toEqual(SEAT);
    forgetSeat(SEAT.match);
    expect(seatOf(SEAT.match)).toBeUndefined();
  });

  it.each(["null", "5", "{}", "no JSON", '"text"', "[null, 5, [], {}]"])("are none where %s was kept", (text) => {
    localStorage.setItem("oddsmith.seats", text);

    expect(keptSeats()).toEqual([]);
  });

  it.each([{ match: 5 }, { match: "../games" }, { game: "../pig" }, { game: null }, { seat: "first" }, { token: 7 }, { token: "a\nb" }, { name: null }, { joinedAt: "now" }])(
    "are passed over where they have %o",
    (wrong) => {
      localStorage.setItem("oddsmith.seats", JSON.stringify([{ ...SEAT, ...wrong }, SEAT]));

      expect(keptSeats()).toEqual([SEAT]);
    },
  );
});

describe("settings", () => {
  it("are found again", () => {
    keepSetting("theme", "dark");

    expect(keptSetting<string>("theme", "auto", ["auto", "dark"])).toBe("dark");
  });

  it.each(["null", "5", "{}", "no JSON", '"green"', "true"])("are the usual where %s was kept", (text) => {
    localStorage.setItem("oddsmith.theme", text);

    expect(keptSetting<string>("theme", "auto", ["auto", "dark"])).toBe("auto");
  });
});
