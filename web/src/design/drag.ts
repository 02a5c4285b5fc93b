/** Drag and drop by pointer events: mouse, pen and touch. Targets are elements with `data-drop`. */

export type DragOptions<T> = {
  thing: T;
  /** Whether it may be dragged now. */
  enabled: boolean;
  /** The drag begins. */
  onstart?: (thing: T) => void;
  /** The pointer is above a target, or above none. */
  onover?: (drop: string | null) => void;
  /** The pointer was released above a target, or above none; called before the element moves back. */
  ondrop: (thing: T, drop: string | null) => void;
  /** The drag ended, by a drop, by Escape, or by the browser. */
  onend?: () => void;
};

const THRESHOLD = 6;

/** Make an element draggable; a press without movement stays a click, and Escape cancels.
 * Use as `{@attach draggable(() => ({…}))}`. */
export function draggable<T>(options: () => DragOptions<T>): (node: HTMLElement) => () => void {
  return (node) => {
    let start: { x: number; y: number; id: number } | null = null;
    let isDragging = false;
    let over: string | null = null;

    const onPointerDown = (event: PointerEvent): void => {
      if (start || !options().enabled || event.button !== 0) return;
      start = { x: event.clientX, y: event.clientY, id: event.pointerId };
      isDragging = false;
      node.setPointerCapture(event.pointerId);
    };
    const onPointerMove = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.id) return;
      const [x, y] = [event.clientX - start.x, event.clientY - start.y];
      if (!isDragging) {
        if (Math.hypot(x, y) < THRESHOLD) return;
        isDragging = true;
        node.dataset.dragging = "";
        addEventListener("keydown", onKeyDown, { capture: true });
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
    const onPointerUp = (event: PointerEvent): void => {
      if (!start || event.pointerId !== start.id) return;
      const isDrop = isDragging && event.type === "pointerup";
      if (isDrop) options().ondrop(options().thing, dropBelow(event.clientX, event.clientY, node));
      if (isDragging) node.addEventListener("click", suppress, { capture: true, once: true });
      allowClicks();
      finish();
    };
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== "Escape") return;
      suppress(event);
      node.addEventListener("click", suppress, { capture: true, once: true });
      addEventListener("pointerup", allowClicks, { capture: true, once: true });
      finish();
    };
    const allowClicks = (): void => void setTimeout(() => node.removeEventListener("click", suppress, { capture: true }), 0);
    const finish = (): void => {
      removeEventListener("keydown", onKeyDown, { capture: true });
      if (isDragging) options().onend?.();
      start = null;
      isDragging = false;
      over = null;
      delete node.dataset.dragging;
      node.style.removeProperty("--drag-x");
      node.style.removeProperty("--drag-y");
    };
    const suppress = (event: Event): void => {
      event.stopPropagation();
      event.preventDefault();
    };

    node.addEventListener("pointerdown", onPointerDown);
    node.addEventListener("pointermove", onPointerMove);
    node.addEventListener("pointerup", onPointerUp);
    node.addEventListener("pointercancel", onPointerUp);
    // an attribute, because the component may overwrite a class
    node.dataset.draggable = "";
    return () => {
      finish();
      node.removeEventListener("pointerdown", onPointerDown);
      node.removeEventListener("pointermove", onPointerMove);
      node.removeEventListener("pointerup", onPointerUp);
      node.removeEventListener("pointercancel", onPointerUp);
    };
  };
}

function dropBelow(x: number, y: number, node: HTMLElement): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    if (node.contains(element)) continue;
    const target = element.closest<HTMLElement>("[data-drop]");
    if (target && !node.contains(target)) return target.dataset.drop ?? null;
  }
  return null;
}
