/** Animates cards from their old to their new places. */
import { tick } from "svelte";
import { settings } from "../../settings.svelte";

const GLIDE: KeyframeAnimationOptions = { duration: 240, easing: "cubic-bezier(0.2, 0.7, 0.2, 1)" };

/** Apply a change, and animate every `[data-card]` under the root to its new place; the focus stays on its card. */
export async function glideCards(root: HTMLElement | null, change: () => void): Promise<void> {
  const before = new Map(cardsOf(root).map((element) => [element.dataset.card, element.getBoundingClientRect()]));
  const focused = (document.activeElement as HTMLElement | null)?.dataset.card;
  change();
  await tick();
  for (const element of cardsOf(root)) {
    if (focused !== undefined && element.dataset.card === focused) element.focus({ preventScroll: true });
    const from = before.get(element.dataset.card);
    if (from && !settings.reducesMotion) glide(element, from);
  }
}

function cardsOf(root: HTMLElement | null): HTMLElement[] {
  return root ? [...root.querySelectorAll<HTMLElement>("[data-card]")] : [];
}

function glide(element: HTMLElement, from: DOMRect): void {
  const to = element.getBoundingClientRect();
  const [x, y] = [from.left - to.left, from.top - to.top];
  if (Math.hypot(x, y) < 1) return;
  element.animate([{ transform: `translate(${x}px, ${y}px)`, zIndex: 20 }, { transform: "none", zIndex: 20 }], GLIDE);
}
