/** Drag and drop by pointer events: mouse, pen and touch. Targets are elements with `data-drop`. */

export type Dragging<T> = {
  thing: T;
  /** Whether it may be dragged now. */
  enabled: boolean;
  /** The drag begins: light up the targets. */
  onstart?: (thing: T) => void;
  /** The pointer is above a target, or above none. */
  onover?: (drop: string | null) => void;
  /** The thing was let go above a target, or above none; called before the thing moves back. */
  ondrop: (thing: T, drop: string | null) => void;
  /** The drag ended, however it did. */
  onend?: () => void;
};

const THRESHOLD = 6;

/** Make an element draggable; a press without movement stays a click, and Escape cancels.
 * Use as `{@attach draggable(() => ({…}))}`. */
export function draggable<T>(options: () => Dragging<T>): (node: HTMLElement) => () => void {
  return (node) => {
    let start: { x: number; y: number; id: number } | null = null;
    let moved = false;
    let over: string | null = null;

    const down = (event: PointerEvent): void => {
      if (start || !options().enabled || event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
      moved = false;
      node.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.id) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!moved) {
        if (Math.hypot(x, y) < THRESHOLD) return;
        moved = true;
        node.dataset.dragging = "";
        addEventListener("keydown", escape, { capture: true });
        options().onstart?.(options().thing);
      }
      node.style.setProperty("--drag-x", `${x}px`);
      node.style.setProperty("--drag-y", `${y}px`);
      const below = dropBelow(event.clientX, event.clientY, node);
      if (below !== over) {
        over = below;
        options().onover?.(over);
      }
    };
    const up = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.id) return;
      const dropped = moved && event.type === "pointerup";
      if (dropped) options().ondrop(options().thing, dropBelow(event.clientX, event.clientY, node));
      if (moved) node.addEventListener("click", swallow, { capture: true, once: true });
      clickAgain();
      finish();
    };
    const escape = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      swallow(event);
      node.addEventListener("click", swallow, { capture: true, once: true });
      addEventListener("pointerup", clickAgain, { capture: true, once: true });
      finish();
    };
    const clickAgain = (): void => void setTimeout(() => node.removeEventListener("click", swallow, { capture: true }), 0);
    const finish = (): void => {
      removeEventListener("keydown", escape, { capture: true });
      if (moved) options().onend?.();
      start = null;
      moved = false;
      over = null;
      delete node.dataset.dragging;
      node.style.removeProperty("--drag-x");
      node.style.removeProperty("--drag-y");
    };
    const swallow = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };

    node.addEventListener("pointerdown", down);
    node.addEventListener("pointermove", move);
    node.addEventListener("pointerup", up);
    node.addEventListener("pointercancel", up);
    // an attribute, because the component may overwrite a class
    node.dataset.draggable = "";
    return () => {
      finish();
      node.removeEventListener("pointerdown", down);
      node.removeEventListener("pointermove", move);
      node.removeEventListener("pointerup", up);
      node.removeEventListener("pointercancel", up);
    };
  };
}

function dropBelow(x: number, y: number, dragged: HTMLElement): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (dragged.contains(element)) continue;
    const target = element.closest<HTMLElement>("[data-drop]");
    if (target && !dragged.contains(target)) return target.dataset.drop ?? null;
  }
  return null;
}
