import { describe, expect, it } from "vitest";
import { playerName } from "./names";

describe("the name of a player", () => {
  it("has the number of the seat where several have it, and is that number where the seat is free", () => {
    const chairs = ["Ann", "random", "random", null].map((name) => ({ name }));
    const table = { frame: { chairs }, name: (seat: number) => chairs[seat]?.name ?? "" } as unknown as Parameters<typeof playerName>[0];

    expect(chairs.map((_, seat) => playerName(table, seat))).toEqual(["Ann", "random 2", "random 3", "Seat 4"]);
  });
});
