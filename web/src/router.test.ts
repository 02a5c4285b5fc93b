// @vitest-environment happy-dom
import { describe, expect, it } from "vitest";
import { routeOf } from "./router.svelte";

describe("addresses", () => {
  it.each([
    ["/", { page: "home" }],
    ["/new/pig", { page: "new", game: "pig" }],
    ["/new/", { page: "new", game: null }],
    ["/matches", { page: "matches" }],
    ["/matches/6bd92481c7f22c560d2f", { page: "match", match: "6bd92481c7f22c560d2f" }],
    ["/replay/6bd92481c7f22c560d2f", { page: "replay", match: "6bd92481c7f22c560d2f" }],
    ["/workbench/pig", { page: "workbench", game: "pig", question: null }],
    ["/workbench/pig/odds", { page: "workbench", game: "pig", question: "odds" }],
    ["/workbench/pig/odds/curve", { page: "nowhere" }],
    ["/about", { page: "nowhere" }],
    ["/matches/a/b", { page: "nowhere" }],
  ])("%s", (path, route) => {
    expect(routeOf(path)).toEqual(route);
  });
});
