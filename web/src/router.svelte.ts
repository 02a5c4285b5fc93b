/** The address says which page is shown; links of our own change it without loading anything. */
import { tick } from "svelte";

export type Route =
  | { page: "home" }
  | { page: "new"; game: string | null }
  | { page: "matches" }
  | { page: "match"; match: string }
  | { page: "replay"; match: string | null }
  | { page: "workbench"; game: string | null; question: string | null }
  | { page: "nowhere" };

export function routeOf(path: string): Route {
  const [first, second, third, ...rest] = path.split("/").filter(Boolean);
  if (rest.length || (third !== undefined && first !== "workbench")) return { page: "nowhere" };
  switch (first) {
    case undefined:
      return { page: "home" };
    case "new":
      return { page: "new", game: second ?? null };
    case "matches":
      return second ? { page: "match", match: second } : { page: "matches" };
    case "replay":
      return { page: "replay", match: second ?? null };
    case "workbench":
      return { page: "workbench", game: second ?? null, question: third ?? null };
    default:
      return { page: "nowhere" };
  }
}

class Router {
  path = $state(location.pathname);
  search = $state(location.search);
  route = $derived(routeOf(this.path));

  constructor() {
    addEventListener("popstate", () => this.#read());
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Go to an address of ours. */
  async go(address: string, { replace = false }: { replace?: boolean } = {}): Promise<void> {
    const before = this.path;
    history[replace ? "replaceState" : "pushState"](null, "", address);
    this.#read();
    if (this.path !== before) {
      await tick();
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  }

  #read(): void {
    this.path = location.pathname;
    this.search = location.search;
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    void this.go(link.pathname + link.search + link.hash);
  }
}

export const router = new Router();
