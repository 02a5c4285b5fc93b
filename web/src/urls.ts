/**
 * URLs from paths. The server may be mounted under a prefix, which the base URL of the page contains. Paths of this client,
 * such as `/matches`, do not contain it.
 */

/** Return the base URL of the page; outside a browser, the root of localhost. */
function baseUrl(): URL {
  return new URL(".", globalThis.document?.baseURI ?? "http://localhost/");
}

/** Return the URL of a path without its origin. */
export function urlOf(path: string): string {
  return baseUrl().pathname + path.slice(1);
}

/** Return the absolute URL of a path. */
export function linkTo(path: string): string {
  return baseUrl().origin + urlOf(path);
}

/** Return the absolute WebSocket URL of a path. */
export function socketUrlOf(path: string): string {
  return linkTo(path).replace(/^http/, "ws");
}

/** Return the path of a URL path of this origin; null where it is not below the prefix. */
export function pathOf(address: string): string | null {
  const prefix = baseUrl().pathname;
  if (`${address}/` === prefix) return "/";
  return address.startsWith(prefix) ? address.slice(prefix.length - 1) : null;
}
