import { expect, it, vi } from "vitest";
import { RefusalError } from "../../api/http";
import type { Table } from "../../match/table.svelte";
import type { View } from "./questions";
import { legal, actionQueueOf, type Action } from "./action_queue.svelte";
import { frameOf, tableOf, viewOf } from "./test_data";

const actionsOf = (view: View): Action[] => [
  ...view.build.dice.map((_, place): Action => ({ type: view.locked.includes(place) ? "unlock" : "lock", place })),
  { type: "set_wild", place: 0, face: 6 },
  { type: "reroll" },
  { type: "score" },
];

/** Let the table be played on by a server that locks dice, each choice after a moment. */
function serveTable(table: Table<"dice">, { refuses = false } = {}): Action[] {
  const made: Action[] = [];
  table.connectTo({
    close: () => undefined,
    act: async (given, version) => {
      await new Promise((resume) => setTimeout(resume, 2));
      if (refuses || version !== table.version) throw new RefusalError({ code: "stale", sentence: "look again" }, 409);
      const action = given as Action;
      made.push(action);
      const view = table.view!;
      const locked =
        action.type === "lock"
          ? [...view.locked, action.place]
          : action.type === "unlock"
            ? view.locked.filter((one) => one !== action.place)
            : view.locked;
      const next = { ...view, locked };
      setTimeout(() => table.show(frameOf(version + 1, next, actionsOf(next))), 3);
    },
  });
  return made;
}

const openTable = (more: Partial<View> = {}) => {
  const view = viewOf(more);
  const table = tableOf(view, actionsOf(view));
  return { table, queue: actionQueueOf(table) };
};

it("makes quick choices one after the other, each for the table as it then is", async () => {
  const { table, queue } = openTable();
  const made = serveTable(table);
  queue.toggle(0);
  queue.toggle(1);
  queue.then((actions) => legal(actions, "reroll"));

  expect([queue.isLocked(0), queue.isLocked(1), queue.isLocked(2), queue.isWaiting]).toEqual([true, true, false, true]);
  await vi.waitFor(() => expect(made).toEqual([{ type: "lock", place: 0 }, { type: "lock", place: 1 }, { type: "reroll" }]));
  expect(table.view?.locked).toEqual([0, 1]);
});

it("takes back a lock that was not sent yet", async () => {
  const { table, queue } = openTable();
  const made = serveTable(table);
  queue.toggle(0);
  queue.toggle(1);
  queue.toggle(1);
  await vi.waitFor(() => expect(table.view?.locked).toEqual([0]));

  expect(made).toEqual([{ type: "lock", place: 0 }]);
});

it("sets wild dice that are kept, and locks the others", async () => {
  const { table, queue } = openTable();
  const made = serveTable(table);
  queue.keep([0, 2], [{ place: 0, face: 6 }]);
  await vi.waitFor(() => expect(made).toHaveLength(2));

  expect(made).toEqual([{ type: "lock", place: 2 }, { type: "set_wild", place: 0, face: 6 }]);
});

it("locks exactly these dice", async () => {
  const { table, queue } = openTable({ locked: [0, 1] });
  const made = serveTable(table);
  queue.keep([1, 4]);
  await vi.waitFor(() => expect(table.view?.locked).toEqual([1, 4]));

  expect(made).toEqual([{ type: "unlock", place: 0 }, { type: "lock", place: 4 }]);
});

it("forgets the rest when a choice is refused", async () => {
  const { table, queue } = openTable();
  serveTable(table, { refuses: true });
  queue.toggle(0);
  queue.then((actions) => legal(actions, "score"));
  await vi.waitFor(() => expect(table.refusal?.sentence).toBe("look again"));
  await vi.waitFor(() => expect(queue.isWaiting).toBe(false));

  expect(queue.isLocked(0)).toBe(false);
});

it("leaves out what is not legal by then, and does what follows", async () => {
  const { table, queue } = openTable();
  const made = serveTable(table);
  queue.then((actions) => legal(actions, "leave"), (actions) => legal(actions, "reroll"));
  await vi.waitFor(() => expect(made).toEqual([{ type: "reroll" }]));
});

it("is closed to who watches, and to who is away", () => {
  const { table, queue } = openTable();
  expect([queue.isOpen, queue.canToggle(0)]).toEqual([true, true]);
  table.connection = { state: "away", retryAt: 0 };
  queue.toggle(0);
  queue.then((actions) => legal(actions, "reroll"));

  expect([queue.isOpen, queue.canToggle(0), queue.isLocked(0), queue.isWaiting]).toEqual([false, false, false, false]);
  expect(actionQueueOf(table)).toBe(queue);
});
