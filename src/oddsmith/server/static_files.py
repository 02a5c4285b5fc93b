"""Static files of the browser client and of the documentation: compressed, with caching headers and a content policy."""

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from oddsmith.errors import MethodError
from oddsmith.server.http_request import Request, Response

if TYPE_CHECKING:
    from oddsmith.server.asgi import Header

API: Final = "/api/"
ASSETS: Final = "/assets/"
INDEX: Final = "/index.html"
"""The path of the page of a folder."""
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
MOST_PREFIXES: Final = 16
"""The number of pages with a mount prefix in them that are cached."""
PACKED: Final = ".gz"
COMPRESSION: Final = 6
"""The level of gzip: twice as fast as the highest, for one percent more bytes."""


class StaticFile(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its body, the body compressed where that is smaller, and the values of its headers."""

    body: bytes
    packed: bytes | None
    tag: bytes
    kind: bytes
    cache_control: bytes

    @classmethod
    def of(cls, name: str, body: bytes, packed: bytes | None = None) -> "StaticFile":
        """Return the file of a path and its content; it is compressed now, unless `packed` is its content compressed.

        >>> StaticFile.of("/assets/play-B2c4.js", b"play()").cache_control
        b'public, max-age=31536000, immutable'
        """
        packed = gzip.compress(body, COMPRESSION, mtime=0) if packed is None else packed
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


class Folder(Protocol):
    """Static files with the addresses that lead to them."""

    def is_address(self, path: str) -> bool:
        """Return whether a path leads to a file, also if the files were not built."""
        ...

    def answer(self, path: str, headers: Mapping[bytes, bytes], prefix: str = "") -> Response | None:
        """Return the response for a path below the mount prefix; None where the folder has none."""
        ...


class LazyFiles(Mapping[str, StaticFile]):
    """The files of a folder by their path: found when this is created, read when first requested.

    `NAME.gz` is the file `NAME` compressed, and has no path. A file that was removed in between is missing.
    """

    def __init__(self, folder: Traversable, at: str) -> None:
        found = dict(find_files(folder, at))
        self._entries = {path: entry for path, entry in found.items() if not path.endswith(PACKED)}
        self._packed = {
            path.removesuffix(PACKED): entry for path, entry in found.items() if path.endswith(PACKED)
        }
        self._read: dict[str, StaticFile] = {}

    def __getitem__(self, path: str) -> StaticFile:
        if path not in self._read:
            packed = self._packed.get(path)
            try:
                body = self._entries[path].read_bytes()
                packed_body = body if packed is None else packed.read_bytes()
            except FileNotFoundError:
                raise KeyError(path) from None
            self._read[path] = StaticFile.of(path, body, packed_body)
        return self._read[path]

    def __contains__(self, path: object) -> bool:
        return path in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class StaticFiles:
    """Check that answers the addresses of a folder with its files; `route` is their label in metrics and logs."""

    def __init__(self, folder: Folder, route: str) -> None:
        self._folder = folder
        self._route = route

    def __call__(self, request: Request) -> Response | None:
        """Return the file of the path; None where there is none, or an operation matches."""
        if request.operation is not None or request.path.startswith(API):
            return None
        response = self._response(request)
        if response is None:
            return None
        request.route = self._route
        return response._replace(body=b"") if request.method == "HEAD" else response

    def _response(self, request: Request) -> Response | None:
        if request.method in READ_METHODS:
            return self._folder.answer(request.path, request.headers, request.prefix)
        if not self._folder.is_address(request.path):
            return None
        if request.method == "OPTIONS":
            return Response(204, [(b"allow", ", ".join(ALLOWED).encode())], b"")
        request.route = self._route
        error = MethodError("method_not_allowed", "a page can only be read: use GET")
        error.allowed = ALLOWED
        raise error


@lru_cache(maxsize=MOST_PREFIXES)
def below_prefix(page: StaticFile, prefix: str, mark: bytes) -> StaticFile:
    """Return an HTML page with the mount prefix in each `mark`, which has `%b` where the prefix belongs.

    >>> page = StaticFile.of(INDEX, b'<base href="/" /><script src="./main.js">')
    >>> below_prefix(page, "/games", b'<base href="%b/" />').body
    b'<base href="/games/" /><script src="./main.js">'
    """
    return StaticFile.of(INDEX, page.body.replace(mark % b"", mark % prefix.encode()))


def accepts_html(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether a client asks for HTML, as browsers do."""
    return HTML in headers.get(b"accept", b"")


def find_files(folder: Traversable, at: str) -> Iterator[tuple[str, Traversable]]:
    """Yield the files in a folder and below, each with its path, which begins with `at`; none whose name begins with a dot."""
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from find_files(entry, f"{at}{entry.name}/")
        else:
            yield at + entry.name, entry


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
