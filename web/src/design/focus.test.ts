// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { keepFocus } from "./focus";

let main: HTMLElement;
let release: () => void;
const find = (selector: string): HTMLElement => main.querySelector<HTMLElement>(selector) as HTMLElement;

/** Let the observer be told, and some time go by. */
async function pass(milliseconds: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(1);
  await vi.advanceTimersByTimeAsync(milliseconds);
}

beforeEach(() => {
  vi.useFakeTimers();
  main = document.body.appendChild(document.createElement("main"));
  main.tabIndex = -1;
  main.innerHTML = '<p><button id="fight">Fight</button><button id="flee">Flee</button></p><section data-focus-fallback tabindex="-1"></section>';
  release = keepFocus(main);
  find("#fight").focus();
});
afterEach(() => {
  release();
  document.body.replaceChildren();
  vi.useRealTimers();
});

it("goes to the refuge where what had it is gone", async () => {
  find("#fight").remove();
  await pass(100);

  expect(document.activeElement).toBe(find("[data-focus-fallback]"));
});

it("goes to what has the same name", async () => {
  find("p").innerHTML = '<button id="next">Next</button><button id="again">Fight</button>';
  await pass(100);

  expect(document.activeElement).toBe(find("#again"));
});

it("goes to the refuge where what had it had no name, as other controls may have none", async () => {
  find("p").innerHTML = '<input type="checkbox" /><button id="nameless"></button>';
  find("#nameless").focus();
  find("#nameless").remove();
  await pass(100);

  expect(document.activeElement).toBe(find("[data-focus-fallback]"));
});

it("goes to the element itself where there is no refuge", async () => {
  main.replaceChildren();
  await pass(100);

  expect(document.activeElement).toBe(main);
});

it("comes back to what was disabled for a moment only", async () => {
  const fight = find("#fight") as HTMLButtonElement;
  fight.blur();
  fight.disabled = true;
  await pass(300);
  expect(document.activeElement).toBe(document.body);
  fight.disabled = false;
  await pass(10);

  expect(document.activeElement).toBe(fight);
});

it("stays where somebody else has taken it", async () => {
  find("#fight").remove();
  find("#flee").focus();
  await pass(100);

  expect(document.activeElement).toBe(find("#flee"));
});

it("is nowhere where somebody let it go", async () => {
  find("#fight").blur();
  await pass(10);
  find("#fight").remove();
  await pass(100);

  expect(document.activeElement).toBe(document.body);
});
