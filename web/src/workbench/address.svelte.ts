/** The address of a page holds what is set on it, so that it can be shared. */
import { untrack } from "svelte";
import { router } from "../router.svelte";

const PAUSE = 250;

type Held = {
  path: string;
  /** Take what an address holds; null where it holds nothing. */
  begin: (text: string | null) => void;
  /** What the address shall hold: "" where it is as at the beginning, null where it is too long. */
  text: () => string | null;
  isReady: () => boolean;
};

/** Return the address that holds a text at a path; null where there is none. */
export const addressOf = (path: string, text: string | null): string | null => (text === null ? null : path + (text && `?s=${text}`));

/** Let a page and its address follow each other as long as the component lives. */
export function followAddress({ path: own, begin, text, isReady }: Held): void {
  let held: string | null = null;

  // the page follows the address: a link that was opened, or a step back
  $effect(() => {
    const { path, search } = router;
    if (path + search === held || path !== own) return;
    held = path + search;
    untrack(() => begin(new URLSearchParams(search).get("s")));
  });

  // and the address follows the page, a moment later
  $effect(() => {
    const next = addressOf(own, text());
    if (!isReady() || next === null || next === held) return;
    const timer = setTimeout(() => {
      if (router.path !== own) return;
      held = next;
      void router.go(next, { replace: true });
    }, PAUSE);
    return () => clearTimeout(timer);
  });
}
