"""The documentation as a site below `/docs/`, which MkDocs builds from `docs/`."""

from collections.abc import Mapping
from functools import cache
from http import HTTPStatus
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final
from urllib.parse import quote

import msgspec

from oddsmith.errors import NotFoundError
from oddsmith.server.http_request import Response
from oddsmith.server.static_files import INDEX, LazyFiles, StaticFile, accepts_html, below_prefix

DOCS: Final = "/docs"
MISSING: Final = f"{DOCS}/404.html"
"""The page for missing pages, which has no address of its own."""
MARK: Final = b'"%b/docs/'
"""The beginning of each absolute URL in the page for missing pages."""
NOT_BUILT: Final = "the documentation was not built into this oddsmith: 'make docs' builds it in its sources"
NOT_BUILT_PAGE: Final = f"""<!doctype html>
<html lang="en">
<title>Documentation is not built</title>
<p>{NOT_BUILT.capitalize().replace("'make docs'", "<code>make docs</code>")}.</p>
"""


class DocsSite(msgspec.Struct, frozen=True):
    """All files of the site by their path, which begins with `/docs/`; none where it was not built."""

    files: Mapping[str, StaticFile]

    def is_address(self, path: str) -> bool:
        """Return whether a path leads to a file, or to the page of a folder with or without a slash at its end.

        >>> DocsSite({}).is_address("/docs"), DocsSite({}).is_address("/docs/rules/")
        (True, False)
        """
        return path == DOCS or _file_path(path) in self.files or path + INDEX in self.files

    def answer(self, path: str, headers: Mapping[bytes, bytes], prefix: str = "") -> Response | None:
        """Return the response for a path below the mount prefix.

        A folder without a slash at its end is redirected, because links of its page are relative. None for a path outside
        of `/docs/`, and for a missing page, unless a browser asks for it: it gets a page with 404. Where the site was not
        built, the page says how to build it, and for other clients `NotFoundError` is raised.
        """
        if path != DOCS and not path.startswith(f"{DOCS}/"):
            return None
        if not self.files:
            return _refuse_unbuilt(headers)
        file = None if path == MISSING else self.files.get(_file_path(path))
        if file is not None:
            return file.answer(headers, missing=False)
        if path + INDEX in self.files:
            location = f"{prefix}{quote(path)}/".encode()
            redirect = [(b"location", location), (b"content-length", b"0")]
            return Response(HTTPStatus.PERMANENT_REDIRECT, redirect, b"")
        missing = self.files.get(MISSING)
        if missing is None or not accepts_html(headers):
            return None
        return below_prefix(missing, prefix, MARK).answer(headers, missing=True)


def read_site(folder: Traversable) -> DocsSite:
    """Return the site in a folder, whose files are read when they are first requested."""
    return DocsSite(LazyFiles(folder, f"{DOCS}/"))


@cache
def built_site() -> DocsSite:
    """Return the site that this package was built with."""
    return read_site(files("oddsmith") / "site")


def _file_path(path: str) -> str:
    """Return the path of the file at an address.

    >>> _file_path("/docs/rules/"), _file_path("/docs/rules/duel.svg")
    ('/docs/rules/index.html', '/docs/rules/duel.svg')
    """
    return path + INDEX[1:] if path.endswith("/") else path


def _refuse_unbuilt(headers: Mapping[bytes, bytes]) -> Response:
    if not accepts_html(headers):
        raise NotFoundError("not_built", NOT_BUILT)
    return StaticFile.of(INDEX, NOT_BUILT_PAGE.encode()).answer(headers, missing=True)
