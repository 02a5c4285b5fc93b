/** Client-side router: the page follows from the path, and links of this origin do not reload the page. */
import { tick } from "svelte";
import { pathOf, urlOf } from "./urls";

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

function currentPath(): string {
  return pathOf(location.pathname) ?? location.pathname;
}

class Router {
  /** Below the prefix that the server is mounted under. */
  path = $state(currentPath());
  search = $state(location.search);
  route = $derived(routeOf(this.path));

  constructor() {
    addEventListener("popstate", () => this.#read());
    addEventListener("click", (event) => this.#follow(event));
  }

  /** Go to a path of this client. */
  async go(path: string, { replace = false }: { replace?: boolean } = {}): Promise<void> {
    const before = this.path;
    history[replace ? "replaceState" : "pushState"](null, "", urlOf(path));
    this.#read();
    if (this.path !== before) {
      await tick();
      scrollTo(0, 0);
      document.getElementById("main")?.focus({ preventScroll: true });
    }
  }

  #read(): void {
    this.path = currentPath();
    this.search = location.search;
  }

  #follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || link.target || link.hasAttribute("download") || link.origin !== location.origin) return;
    const path = pathOf(link.pathname);
    if (path === null || path.startsWith("/api/")) return;
    event.preventDefault();
    void this.go(path + link.search + link.hash);
  }
}

export const router = new Router();
