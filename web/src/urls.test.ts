// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { router } from "./router.svelte";
import { linkTo, pathOf, socketUrlOf, urlOf } from "./urls";

const SOURCES = import.meta.glob<string>(["./**/*.svelte", "./**/*.ts", "!./**/*.test.ts", "!./urls.ts"], { query: "?raw", import: "default", eager: true });
/** An address that does not come from urls.ts: a path in an attribute, or one that is made from where the page is. */
const BYPASS = /(?:href|src)=(?:"\/|\{[`"']\/)|location\.(?:origin \+|host)|(?:new WebSocket|await fetch)\((?!socketUrlOf|urlOf)/;

function mountAt(prefix: string): void {
  document.head.innerHTML = `<base href="${prefix}/" />`;
}

afterEach(() => {
  document.head.innerHTML = "";
  history.replaceState(null, "", "/");
});

describe.each(["", "/games", "/a/b%20c"])("addresses below %j", (prefix) => {
  beforeEach(() => mountAt(prefix));

  it("has the prefix in every address", () => {
    expect(urlOf("/")).toBe(`${prefix}/`);
    expect(urlOf("/matches?status=over")).toBe(`${prefix}/matches?status=over`);
    expect(linkTo("/matches/05af")).toBe(`${location.origin}${prefix}/matches/05af`);
    expect(socketUrlOf("/api/v1/matches/05af/socket")).toBe(`ws://${location.host}${prefix}/api/v1/matches/05af/socket`);
  });

  it("finds the path of an address", () => {
    expect(["", "/", "/matches/05af"].map((path) => pathOf(prefix + path || "/"))).toEqual(["/", "/", "/matches/05af"]);
  });

  it("shows the page of an address, and goes to a path", async () => {
    await router.go("/matches/05af?since=3");

    expect(location.pathname + location.search).toBe(`${prefix}/matches/05af?since=3`);
    expect(router.route).toEqual({ page: "match", match: "05af" });
  });
});

describe("what is not ours", () => {
  it.each(["/", "/gamesome/matches", "/about"])("%s is no path below /games", (address) => {
    mountAt("/games");
    expect(pathOf(address)).toBeNull();
  });

  it.each([
    ["/games/new/pig", true],
    ["/about", false],
    ["/games/api/v1/matches/05af/record", false],
    ["http://elsewhere.example/games/new", false],
  ])("a click on %s is followed without loading: %s", (href, isFollowed) => {
    mountAt("/games");
    document.body.innerHTML = `<a href="${href}">go</a>`;
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    document.querySelector("a")?.dispatchEvent(click);

    expect(click.defaultPrevented).toBe(isFollowed);
  });
});

it("is asked for every address: no other file makes one", () => {
  const found = Object.entries(SOURCES).flatMap(([file, text]) => text.split("\n").filter((line) => BYPASS.test(line)).map((line) => `${file}: ${line.trim()}`));

  expect(found).toEqual([]);
});
