/** Moves the keyboard focus to a related control when the focused element is removed or disabled. */

/** Milliseconds before the focus is moved: after an element was removed, and after a control was disabled. */
const GRACE = 80;
const PATIENCE = 1_500;
const CONTROLS = "button, a[href], summary, input, select, textarea";

/** Keep the focus in an element: on a control of the same name, else on its innermost `[data-refuge]`, else on itself.
 * Use as `{@attach keepFocus}`. */
export function keepFocus(node: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let name = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const came = (event: FocusEvent): void => {
    clearTimeout(timer);
    last = event.target as HTMLElement;
    name = nameOf(last);
  };
  const went = (): void => void setTimeout(() => isLost() && last && isUsable(last) && (last = null), 0);
  const changed = (): void => {
    if (!last || isUsable(last)) {
      if (last && timer !== undefined && isLost()) last.focus({ preventScroll: true });
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(inherit, last.isConnected ? PATIENCE : GRACE);
  };
  const inherit = (): void => {
    timer = undefined;
    if (!isLost() || document.querySelector("dialog[open]")) return;
    const heir = [...node.querySelectorAll<HTMLElement>(CONTROLS)].find((control) => isUsable(control) && nameOf(control) === name);
    (heir ?? [...node.querySelectorAll<HTMLElement>("[data-refuge]")].at(-1) ?? node).focus({ preventScroll: true });
  };

  const watching = new MutationObserver(changed);
  watching.observe(node, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  node.addEventListener("focusin", came);
  node.addEventListener("focusout", went);
  return () => {
    clearTimeout(timer);
    watching.disconnect();
    node.removeEventListener("focusin", came);
    node.removeEventListener("focusout", went);
  };
}

const isLost = (): boolean => !document.activeElement || document.activeElement === document.body;
const isUsable = (control: HTMLElement): boolean => control.isConnected && !control.matches(":disabled");
const nameOf = (control: HTMLElement): string => control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";
