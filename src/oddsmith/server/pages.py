"""The pages of the browser client, and the addresses of its router."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

import msgspec

from oddsmith.errors import NotFoundError
from oddsmith.registry import mechanic_names
from oddsmith.server.http_request import Response
from oddsmith.server.static_files import INDEX, StaticFile, accepts_html, below_prefix, find_files

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
NOT_BUILT: Final = (
    "the pages of the browser client were not built into this oddsmith: 'make web' builds them in its sources; "
    "everything else is available, see {prefix}/api/v1/openapi.json"
)
BASE: Final = b'<base href="%b/" />'
"""The element of the client's page that holds the mount prefix."""
_SEGMENTS: Final = {"{game}": "(?P<game{number}>[^/]+)", "{match}": "[^/]+", "{question}": "[^/]+"}
_ADDRESS: Final = re.compile(
    "|".join(
        re.sub(r"\{\w+\}", lambda part: _SEGMENTS[part[0]], address).replace("{number}", str(number)) + "/?"
        for number, address in enumerate(ADDRESSES)
    )
)


class Pages(msgspec.Struct, frozen=True):
    """All files by their path; `index` is the client's HTML page, which is at all of `ADDRESSES`."""

    index: StaticFile | None
    files: Mapping[str, StaticFile]

    def is_address(self, path: str) -> bool:
        """Return whether a path is one of a file or of the client's router, also if the client was not built.

        >>> nothing = Pages(None, {})
        >>> nothing.is_address("/new/casino"), nothing.is_address("/new/chess"), nothing.is_address("/matches/4af0")
        (True, False, True)
        """
        if path in self.files:
            return True
        found = _ADDRESS.fullmatch(path)
        games = [] if found is None else [name for name in found.groupdict().values() if name is not None]
        return found is not None and all(name in mechanic_names() for name in games)

    def answer(self, path: str, headers: Mapping[bytes, bytes], prefix: str = "") -> Response | None:
        """Return the response for a path below the mount prefix.

        None for a path without a page, unless a browser asks for HTML: it gets the client's page with 404. Raises
        `NotFoundError` where the client was not built.
        """
        page = self.files.get(path)
        if page is not None:
            return page.answer(headers, missing=False)
        missing = not self.is_address(path)
        if missing and (self.index is None or not accepts_html(headers)):
            return None
        if self.index is None:
            raise NotFoundError("not_built", NOT_BUILT.format(prefix=prefix))
        index = below_prefix(self.index, prefix, BASE) if prefix else self.index
        return index.answer(headers, missing=missing)


def read_pages(folder: Traversable) -> Pages:
    """Return the pages in a folder, without names that begin with a dot."""
    found = {path: StaticFile.of(path, entry.read_bytes()) for path, entry in find_files(folder, "/")}
    return Pages(found.pop(INDEX, None), found)


@cache
def built_pages() -> Pages:
    """Return the pages that this package was built with."""
    return read_pages(files("oddsmith") / "pages")
