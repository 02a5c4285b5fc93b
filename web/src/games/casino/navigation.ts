/** Moves the focus by arrow keys to the nearest element in their direction. */

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";
type Box = Pick<DOMRect, "left" | "top" | "width" | "height">;

const DIRECTIONS: Record<Arrow, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** The weight of sideways distance against forward distance. */
const SIDEWAYS_WEIGHT = 2.5;

export function isArrow(key: string): key is Arrow {
  return key in DIRECTIONS;
}

/** Return the index of the box that is nearest in a direction; −1 where there is none. */
export function nearest(from: Box, boxes: readonly Box[], arrow: Arrow): number {
  const [x, y] = DIRECTIONS[arrow];
  let best = -1;
  let shortest = Infinity;
  boxes.forEach((box, index) => {
    const [right, down] = [
      middle(box.left, box.width) - middle(from.left, from.width),
      middle(box.top, box.height) - middle(from.top, from.height),
    ];
    const ahead = right * x + down * y;
    if (ahead < 2) return;
    const distance = ahead + SIDEWAYS_WEIGHT * Math.abs(right * y + down * x);
    if (distance < shortest) [best, shortest] = [index, distance];
  });
  return best;
}

const middle = (start: number, length: number): number => start + length / 2;

/** Move the focus among the elements of a root that a selector names. */
export function moveFocus(root: HTMLElement, selector: string, arrow: Arrow): boolean {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || !root.contains(focused)) return false;
  const others = [...root.querySelectorAll<HTMLElement>(selector)].filter(
    (element) => element !== focused && element.offsetParent !== null,
  );
  const found = nearest(focused.getBoundingClientRect(), others.map((element) => element.getBoundingClientRect()), arrow);
  others[found]?.focus();
  return found >= 0;
}
