/** Synchronises the state of a page with its URL, so that the URL can be shared. */
import { untrack } from "svelte";
import { router } from "../router.svelte";

const DEBOUNCE_MS = 250;

type PageState = {
  path: string;
  /** Restore the state of an address; null for the initial state. */
  begin: (text: string | null) => void;
  /** The state for the address: "" for the initial state, null where it is too long. */
  text: () => string | null;
  isReady: () => boolean;
};

/** Return the address of a path and a state; null where the state is too long. */
export const addressOf = (path: string, text: string | null): string | null => (text === null ? null : path + (text && `?s=${text}`));

/** Synchronise a page and its URL until the component is destroyed. */
export function followAddress({ path: own, begin, text, isReady }: PageState): void {
  let current: string | null = null;

  // address to page: a link was opened, or the history changed
  $effect(() => {
    const { path, search } = router;
    if (path + search === current || path !== own) return;
    current = path + search;
    untrack(() => begin(new URLSearchParams(search).get("s")));
  });

  // page to address, debounced
  $effect(() => {
    const next = addressOf(own, text());
    if (!isReady() || next === null || next === current) return;
    const timer = setTimeout(() => {
      if (router.path !== own) return;
      current = next;
      void router.go(next, { replace: true });
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  });
}
