"""The pages of the browser client are read once, and shown by the names they had then."""

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
"""Where the client shows something: each is answered with the same page, and the client looks where it is."""
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
"""The policy of pages: they are made of their own files, and speak to nobody else."""
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
"""How long what has its digest in its name may be kept."""
REVALIDATE: Final = b"no-cache"
"""What may be kept, if it is asked each time whether it is still the same."""
NOT_BUILT: Final = (
    "the pages of the browser client were not built into this oddsmith: 'make web' builds them in its sources; "
    "all else is there, as {prefix}/api/v1/openapi.json tells"
)
BASE: Final = b'<base href="%b/" />'
"""Where the page of the client says which prefix its addresses are relative to."""
MOST_PREFIXES: Final = 16
"""How many prefixes the page of the client is cached for."""
_PARTS: Final = {"{game}": f"(?:{'|'.join(mechanic_names())})", "{match}": "[^/]+", "{question}": "[^/]+"}
_ADDRESS: Final = re.compile(
    "|".join(re.sub(r"\{\w+\}", lambda part: _PARTS[part[0]], address) + "/?" for address in ADDRESSES)
)


class Page(msgspec.Struct, frozen=True, kw_only=True):
    """One file: as it is, packed where that makes it smaller, and what is said about it."""

    body: bytes
    packed: bytes | None
    tag: bytes
    kind: bytes
    keep: bytes

    @classmethod
    def of(cls, name: str, body: bytes) -> "Page":
        """Return the page that is shown under a name.

        >>> Page.of("/assets/play-B2c4.js", b"play()").keep
        b'public, max-age=31536000, immutable'
        """
        packed = gzip.compress(body, mtime=0)
        return cls(
            body=body,
            packed=packed if len(packed) < len(body) else None,
            tag=b'"%b"' % sha256(body).hexdigest()[:32].encode(),
            kind=KINDS.get(name.rpartition(".")[2], UNKNOWN),
            keep=FOREVER if name.startswith(ASSETS) else REVALIDATE,
        )

    def answer(self, asked: Mapping[bytes, bytes], *, missing: bool) -> Response:
        """Return status, headers and body; a page that stands in for a missing one is not to be kept."""
        about: list[Header] = [PAGES_POLICY, (b"vary", b"accept-encoding")]
        if not missing:
            about += [(b"cache-control", self.keep), (b"etag", b"W/" + self.tag)]
            if _is_known(self.tag, asked.get(b"if-none-match", b"")):
                return Response(304, about, b"")
        body = self.body
        if self.packed is not None and _takes_gzip(asked.get(b"accept-encoding", b"")):
            body = self.packed
            about.append((b"content-encoding", b"gzip"))
        about += [(b"content-type", self.kind), (b"content-length", b"%d" % len(body))]
        return Response(404 if missing else 200, about, body)


class Pages(msgspec.Struct, frozen=True):
    """Every file by its address; the page of the client itself is at all addresses that the client knows."""

    index: Page | None
    files: Mapping[str, Page]

    def is_address(self, path: str) -> bool:
        """Say whether something is, or would be if it were built, at an address.

        >>> nothing = Pages(None, {})
        >>> nothing.is_address("/new/casino"), nothing.is_address("/new/chess"), nothing.is_address("/matches/4af0")
        (True, False, True)
        """
        return path in self.files or _ADDRESS.fullmatch(path) is not None

    def answer(self, path: str, asked: Mapping[bytes, bytes], prefix: str = "") -> Response | None:
        """Return what is answered at an address that is no program's; None where a program is to be told.

        `path` is below the prefix that the application is mounted under.
        """
        page = self.files.get(path)
        if page is not None:
            return page.answer(asked, missing=False)
        missing = not self.is_address(path)
        if missing and (self.index is None or HTML not in asked.get(b"accept", b"")):
            return None
        if self.index is None:
            raise NotFoundError("not_built", NOT_BUILT.format(prefix=prefix))
        index = below_prefix(self.index, prefix) if prefix else self.index
        return index.answer(asked, missing=missing)


@lru_cache(maxsize=MOST_PREFIXES)
def below_prefix(index: Page, prefix: str) -> Page:
    """Return the page of the client as it is below a prefix: its addresses are relative to that.

    >>> below_prefix(Page.of(INDEX, b'<base href="/" /><script src="./main.js">'), "/games").body
    b'<base href="/games/" /><script src="./main.js">'
    """
    return Page.of(INDEX, index.body.replace(BASE % b"", BASE % prefix.encode()))


def read_pages(folder: Traversable) -> Pages:
    """Return what was built into a folder; names that begin with a dot are not shown."""
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
        """Answer with a page, where the address has one."""
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
        error = MethodError("method_not_allowed", "a page is only looked at: ask with GET")
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


def _is_known(tag: bytes, given: bytes) -> bool:
    return tag in given or given.strip() == b"*"


def _takes_gzip(accepted: bytes) -> bool:
    """Say whether somebody who accepts these codings can read gzip.

    >>> _takes_gzip(b"br, gzip;q=0.8"), _takes_gzip(b"gzip;q=0, *"), _takes_gzip(b"*"), _takes_gzip(b"")
    (True, False, True, False)
    """
    codings = dict(_coding(part) for part in accepted.split(b","))
    return codings.get(b"gzip", codings.get(b"*", False))


def _coding(part: bytes) -> tuple[bytes, bool]:
    name, _, weight = part.replace(b" ", b"").lower().partition(b";")
    return name, re.fullmatch(rb"q=0(\.0*)?", weight) is None
