/**
 * Addresses. The server may be mounted under a prefix, which the base address of the page says. A path of ours, such as
 * `/matches`, is without it; everything that a browser is given is made from paths here.
 */

/** Return where the pages of this server begin; outside a page, at the root. */
function base(): URL {
  return new URL(".", globalThis.document?.baseURI ?? "http://localhost/");
}

/** Return the address of a path, for links, requests and the history. */
export function urlOf(path: string): string {
  return base().pathname + path.slice(1);
}

/** Return the whole address of a path, for other people and programs. */
export function linkTo(path: string): string {
  return base().origin + urlOf(path);
}

/** Return the address of a socket. */
export function socketUrlOf(path: string): string {
  return linkTo(path).replace(/^http/, "ws");
}

/** Return the path of an address of this origin; null where it is not below the prefix. */
export function pathOf(address: string): string | null {
  const prefix = base().pathname;
  if (`${address}/` === prefix) return "/";
  return address.startsWith(prefix) ? address.slice(prefix.length - 1) : null;
}
