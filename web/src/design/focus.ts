/** Who plays with the keyboard is never thrown back to the top of the page: where what had the focus goes away, its heir gets it. */

/** How long a table may take to give the focus away by itself, and a control that is disabled meanwhile to come back. */
const GRACE = 80;
const PATIENCE = 1_500;
const CONTROLS = "button, a[href], summary, input, select, textarea";

/** Keep the focus in an element: with a control of the same name, else in its innermost `[data-refuge]`, else with itself. Use as `{@attach keepFocus}`. */
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
