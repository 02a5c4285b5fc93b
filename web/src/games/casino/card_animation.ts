/** Animates cards from their old to their new places, by transforms and opacity alone. */

/** The places of cards, by name. */
export type Places = ReadonlyMap<string, { rect: DOMRect; node: HTMLElement }>;

/** The element from which new cards come, and the one to which removed cards go. */
export type Ends = { from: Element | null; to: Element | null };

const FLIGHT = 380;
const STAGGER = 45;
const EASE = "cubic-bezier(0.2, 0.7, 0.2, 1)";

export function placesOf(root: HTMLElement): Places {
  const places = new Map<string, { rect: DOMRect; node: HTMLElement }>();
  for (const node of root.querySelectorAll<HTMLElement>("[data-card]")) {
    places.set(node.dataset.card ?? "", { rect: node.getBoundingClientRect(), node });
  }
  return places;
}

/** Animate every card that changed its place. */
export function fly(root: HTMLElement, before: Places, ends: Ends): void {
  const after = placesOf(root);
  let order = 0;
  for (const [card, { rect, node }] of after) {
    const from = before.get(card)?.rect ?? ends.from?.getBoundingClientRect();
    if (from && isElsewhere(from, rect)) arrive(node, from, rect, before.has(card) ? 0 : STAGGER * order++);
  }
  const goal = ends.to?.getBoundingClientRect();
  if (!goal) return;
  for (const [card, { rect, node }] of before) if (!after.has(card)) leave(node, rect, goal, STAGGER * order++);
}

function isElsewhere(one: DOMRect, other: DOMRect): boolean {
  return Math.abs(one.x - other.x) > 1 || Math.abs(one.y - other.y) > 1 || Math.abs(one.width - other.width) > 1;
}

function arrive(node: HTMLElement, from: DOMRect, to: DOMRect, delay: number): void {
  const keyframes = [
    { transform: transformBetween(from, to), zIndex: 30 },
    { transform: "none", zIndex: 30 },
  ];
  node.animate(keyframes, { duration: FLIGHT, delay, easing: EASE, fill: "backwards" });
}

/** Animate a copy of a removed card to its goal, and remove it there. */
function leave(node: HTMLElement, from: DOMRect, to: DOMRect, delay: number): void {
  const ghost = node.cloneNode(true) as HTMLElement;
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("data-card");
  ghost.inert = true;
  Object.assign(ghost.style, {
    position: "fixed",
    margin: "0",
    left: `${from.left}px`,
    top: `${from.top}px`,
    width: `${from.width}px`,
    height: `${from.height}px`,
    zIndex: "60",
    pointerEvents: "none",
  });
  ghost.style.setProperty("--card-width", `${from.width}px`);
  document.body.append(ghost);
  const keyframes = [
    { transform: "none", opacity: 1 },
    { transform: transformBetween(to, from), opacity: 1, offset: 0.85 },
    { transform: transformBetween(to, from), opacity: 0 },
  ];
  const flight = ghost.animate(keyframes, { duration: FLIGHT + 120, delay, easing: EASE, fill: "both" });
  flight.onfinish = flight.oncancel = () => ghost.remove();
}

/** Return the transform with which an element at `to` appears at `from`. */
function transformBetween(from: DOMRect, to: DOMRect): string {
  const x = from.x + from.width / 2 - (to.x + to.width / 2);
  const y = from.y + from.height / 2 - (to.y + to.height / 2);
  const scale = to.width ? Math.min(1.6, Math.max(0.3, from.width / to.width)) : 1;
  return `translate3d(${x}px, ${y}px, 0) scale(${scale})`;
}

/** Animate a dropped card back to its place, after a short pause. */
export function glideBack(node: HTMLElement): void {
  const [x, y] = [node.style.getPropertyValue("--drag-x"), node.style.getPropertyValue("--drag-y")];
  if (!x || !y) return;
  const there = `translate3d(${x}, ${y}, 0)`;
  const keyframes = [
    { transform: there, zIndex: 50 },
    { transform: there, zIndex: 50, offset: 0.35 },
    { transform: "none", zIndex: 50 },
  ];
  node.animate(keyframes, { duration: 320, easing: EASE });
}
