// @vitest-environment happy-dom
import { mount, unmount } from "svelte";
import { afterEach, describe, expect, it } from "vitest";
import type { Frame, GameName } from "../api/types";
import Shell from "./Shell.svelte";
import { Table } from "./table.svelte";

const FRAME = {
  match: "m1", game: "pig", version: 1, viewer: 0, deciding: [0], chairs: [{ name: "Ann" }], view: { scores: [0] }, actions: [],
  events: [{ version: 1, events: [{ event: "turn_began", audience: "everyone" }] }], outcome: null, abandonment: null,
} as unknown as Frame;

let shell: ReturnType<typeof mount> | undefined;
afterEach(() => void (shell && unmount(shell)));

describe("a match without any part of its game", () => {
  it("shows the seats, and what happened by the names of events", () => {
    shell = mount(Shell, { target: document.body, props: { table: new Table("pig" as GameName, {} as never, FRAME), parts: {} } });
    const said = document.body.textContent;

    expect(said).toContain("Turn began");
    expect(said).toContain("Ann");
    expect(said).not.toContain("How to play");
    expect(said).not.toContain("Odds");
  });
});
