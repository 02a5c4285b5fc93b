"""Static files of the browser client: read once, compressed, and served with caching headers and a content policy."""

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final

import msgspec

from oddsmith.errors import MethodError, NotFoundError
from oddsmith.registry import mechanic_names
from oddsmith.server.http_request import Request, Response

if TYPE_CHECKING:
    from oddsmith.server.asgi import Header

ADDRESSES: Final = (
    "/",
    "/matches",
    "/matches/{match}",
    "/new",
    "/new/{game}",
    "/replay",
    "/replay/{match}",
    "/workbench",
    "/workbench/{game}",
    "/workbench/{game}/{question}",
)
"""Paths of the client's router: each is answered with the client's one HTML page."""
API: Final = "/api/"
ASSETS: Final = "/assets/"
INDEX: Final = "/index.html"
READ_METHODS: Final = ("GET", "HEAD")
ALLOWED: Final = ("GET", "HEAD", "OPTIONS")
PAGES_POLICY: Final = (
    b"content-security-policy",
    b"; ".join(
        (
            b"default-src 'none'",
            b"script-src 'self'",
            b"style-src 'self'",
            b"img-src 'self' data: blob:",
            b"font-src 'self'",
            b"connect-src 'self'",
            b"manifest-src 'self'",
            b"base-uri 'self'",
            b"form-action 'none'",
            b"frame-ancestors 'none'",
        )
    ),
)
"""The content security policy of pages: resources and connections of the same origin only."""
HTML: Final = b"text/html"
KINDS: Final = {
    "css": b"text/css; charset=utf-8",
    "html": b"text/html; charset=utf-8",
    "ico": b"image/x-icon",
    "js": b"text/javascript; charset=utf-8",
    "json": b"application/json",
    "png": b"image/png",
    "svg": b"image/svg+xml",
    "txt": b"text/plain; charset=utf-8",
    "wasm": b"application/wasm",
    "webmanifest": b"application/manifest+json",
    "webp": b"image/webp",
    "woff2": b"font/woff2",
}
UNKNOWN: Final = b"application/octet-stream"
FOREVER: Final = b"public, max-age=31536000, immutable"
"""The cache control of files with a digest in their name."""
REVALIDATE: Final = b"no-cache"
"""The cache control of all other files: cached, but revalidated on each use."""
NOT_BUILT: Final = (
    "the pages of the browser client were not built into this oddsmith: 'make web' builds them in its sources; "
    "everything else is available, see {prefix}/api/v1/openapi.json"
)
BASE: Final = b'<base href="%b/" />'
"""The element of the client's page that holds the mount prefix."""
MOST_PREFIXES: Final = 16
"""The number of mount prefixes for which the client's page is cached."""
_SEGMENTS: Final = {"{game}": f"(?:{'|'.join(mechanic_names())})", "{match}": "[^/]+", "{question}": "[^/]+"}
_ADDRESS: Final = re.compile(
    "|".join(re.sub(r"\{\w+\}", lambda part: _SEGMENTS[part[0]], address) + "/?" for address in ADDRESSES)
)


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its body, the body compressed where that is smaller, and the values of its headers."""

    body: bytes
    packed: bytes | None
    tag: bytes
    kind: bytes
    cache_control: bytes

    @classmethod
    def of(cls, name: str, body: bytes) -> "Page":
        """Return the page of a file name and its content.

        >>> Page.of("/assets/play-B2c4.js", b"play()").cache_control
        b'public, max-age=31536000, immutable'
        """
        packed = gzip.compress(body, mtime=0)
        return cls(
            body=body,
            packed=packed if len(packed) < len(body) else None,
            tag=b'"%b"' % sha256(body).hexdigest()[:32].encode(),
            kind=KINDS.get(name.rpartition(".")[2], UNKNOWN),
            cache_control=FOREVER if name.startswith(ASSETS) else REVALIDATE,
        )

    def answer(self, headers: Mapping[bytes, bytes], *, missing: bool) -> Response:
        """Return the response for request headers; with `missing`, a 404 that is not cached."""
        response_headers: list[Header] = [PAGES_POLICY, (b"vary", b"accept-encoding")]
        if not missing:
            response_headers += [(b"cache-control", self.cache_control), (b"etag", b"W/" + self.tag)]
            if _matches_tag(self.tag, headers.get(b"if-none-match", b"")):
                return Response(304, response_headers, b"")
        body = self.body
        if self.packed is not None and _takes_gzip(headers.get(b"accept-encoding", b"")):
            body = self.packed
            response_headers.append((b"content-encoding", b"gzip"))
        response_headers += [(b"content-type", self.kind), (b"content-length", b"%d" % len(body))]
        return Response(404 if missing else 200, response_headers, body)


class Pages(msgspec.Struct, frozen=True):
    """All files by their path; `index` is the client's HTML page, which is at all of `ADDRESSES`."""

    index: Page | None
    files: Mapping[str, Page]

    def is_address(self, path: str) -> bool:
        """Return whether a path is one of a file or of the client's router, also if the client was not built.

        >>> nothing = Pages(None, {})
        >>> nothing.is_address("/new/casino"), nothing.is_address("/new/chess"), nothing.is_address("/matches/4af0")
        (True, False, True)
        """
        return path in self.files or _ADDRESS.fullmatch(path) is not None

    def answer(self, path: str, headers: Mapping[bytes, bytes], prefix: str = "") -> Response | None:
        """Return the response for a path below the mount prefix.

        None for a path without a page, unless a browser asks for HTML: it gets the client's page with 404. Raises
        `NotFoundError` where the client was not built.
        """
        page = self.files.get(path)
        if page is not None:
            return page.answer(headers, missing=False)
        missing = not self.is_address(path)
        if missing and (self.index is None or HTML not in headers.get(b"accept", b"")):
            return None
        if self.index is None:
            raise NotFoundError("not_built", NOT_BUILT.format(prefix=prefix))
        index = below_prefix(self.index, prefix) if prefix else self.index
        return index.answer(headers, missing=missing)


@lru_cache(maxsize=MOST_PREFIXES)
def below_prefix(index: Page, prefix: str) -> Page:
    """Return the client's page with the mount prefix in its base element.

    >>> below_prefix(Page.of(INDEX, b'<base href="/" /><script src="./main.js">'), "/games").body
    b'<base href="/games/" /><script src="./main.js">'
    """
    return Page.of(INDEX, index.body.replace(BASE % b"", BASE % prefix.encode()))


def read_pages(folder: Traversable) -> Pages:
    """Return the pages in a folder, without names that begin with a dot."""
    found = {name: Page.of(name, body) for name, body in _files(folder, "/")}
    return Pages(found.pop(INDEX, None), found)


@cache
def built_pages() -> Pages:
    """Return the pages that this package was built with."""
    return read_pages(files("oddsmith") / "pages")


class PageFiles:
    """Check that answers addresses of the browser client with its pages."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    def __call__(self, request: Request) -> Response | None:
        """Return the page of the path; None where there is none, or an operation matches."""
        if request.operation is not None or request.path.startswith(API):
            return None
        response = self._response(request)
        if response is None:
            return None
        request.route = "pages"
        return response._replace(body=b"") if request.method == "HEAD" else response

    def _response(self, request: Request) -> Response | None:
        if request.method in READ_METHODS:
            return self._pages.answer(request.path, request.headers, request.prefix)
        if not self._pages.is_address(request.path):
            return None
        if request.method == "OPTIONS":
            return Response(204, [(b"allow", ", ".join(ALLOWED).encode())], b"")
        request.route = "pages"
        error = MethodError("method_not_allowed", "a page can only be read: use GET")
        error.allowed = ALLOWED
        raise error


def _files(folder: Traversable, at: str) -> Iterator[tuple[str, bytes]]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _files(entry, f"{at}{entry.name}/")
        else:
            yield at + entry.name, entry.read_bytes()


def _matches_tag(tag: bytes, given: bytes) -> bool:
    return tag in given or given.strip() == b"*"


def _takes_gzip(accepted: bytes) -> bool:
    """Return whether an Accept-Encoding header allows gzip.

    >>> _takes_gzip(b"br, gzip;q=0.8"), _takes_gzip(b"gzip;q=0, *"), _takes_gzip(b"*"), _takes_gzip(b"")
    (True, False, True, False)
    """
    codings = dict(_parse_coding(part) for part in accepted.split(b","))
    return codings.get(b"gzip", codings.get(b"*", False))


def _parse_coding(part: bytes) -> tuple[bytes, bool]:
    name, _, weight = part.replace(b" ", b"").lower().partition(b";")
    return name, re.fullmatch(rb"q=0(\.0*)?", weight) is None
