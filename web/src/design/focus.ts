/** Moves the keyboard focus to a related control when the focused element is removed or disabled. */

/** Delays before the focus moves: after an element was removed, and after a control was disabled. */
const REMOVED_DELAY_MS = 80;
const DISABLED_DELAY_MS = 1_500;
const CONTROLS = "button, a[href], summary, input, select, textarea";

/** Keep the focus in an element: on a control of the same name, else on its innermost `[data-focus-fallback]`, else on itself.
 * Use as `{@attach keepFocus}`. */
export function keepFocus(node: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  let name = "";
  let timer: ReturnType<typeof setTimeout> | undefined;

  const onFocusIn = (event: FocusEvent): void => {
    clearTimeout(timer);
    last = event.target as HTMLElement;
    name = nameOf(last);
  };
  const onFocusOut = (): void => void setTimeout(() => isLost() && last && isUsable(last) && (last = null), 0);
  const onMutation = (): void => {
    if (!last || isUsable(last)) {
      if (last && timer !== undefined && isLost()) last.focus({ preventScroll: true });
      return;
    }
    clearTimeout(timer);
    timer = setTimeout(moveFocus, last.isConnected ? DISABLED_DELAY_MS : REMOVED_DELAY_MS);
  };
  const moveFocus = (): void => {
    timer = undefined;
    if (!isLost() || document.querySelector("dialog[open]")) return;
    const sameName = [...node.querySelectorAll<HTMLElement>(CONTROLS)].find((control) => name !== "" && isUsable(control) && nameOf(control) === name);
    (sameName ?? [...node.querySelectorAll<HTMLElement>("[data-focus-fallback]")].at(-1) ?? node).focus({ preventScroll: true });
  };

  const observer = new MutationObserver(onMutation);
  observer.observe(node, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  node.addEventListener("focusin", onFocusIn);
  node.addEventListener("focusout", onFocusOut);
  return () => {
    clearTimeout(timer);
    observer.disconnect();
    node.removeEventListener("focusin", onFocusIn);
    node.removeEventListener("focusout", onFocusOut);
  };
}

const isLost = (): boolean => !document.activeElement || document.activeElement === document.body;
const isUsable = (control: HTMLElement): boolean => control.isConnected && !control.matches(":disabled");
const nameOf = (control: HTMLElement): string => control.getAttribute("aria-label") ?? control.textContent?.trim() ?? "";
