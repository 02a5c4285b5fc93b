// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { routeOf } from "./router.svelte";

describe("addresses", () => {
  it.each([
    ["/", { page: "home" }],
    ["/new/casino", { page: "new", game: "casino" }],
    ["/new/", { page: "new", game: null }],
    ["/matches", { page: "matches" }],
    ["/matches/6bd92481c7f22c560d2f", { page: "match", match: "6bd92481c7f22c560d2f" }],
    ["/replay/6bd92481c7f22c560d2f", { page: "replay", match: "6bd92481c7f22c560d2f" }],
    ["/workbench/dice", { page: "workbench", game: "dice" }],
    ["/about", { page: "nowhere" }],
    ["/matches/a/b", { page: "nowhere" }],
  ])("%s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });
});
