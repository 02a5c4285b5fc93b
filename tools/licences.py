"""Write the page of licences: every package that oddsmith installs, and those whose files are in its wheel.

    python tools/licences.py

Versions come from the lock files, licences of Python packages from the installed metadata, and those of npm packages from their
lock file. A Python package whose locked version is not installed, for example on another platform, keeps the licence that the page has.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Final

from lock_files import ROOT, read_shipped_npm_packages, read_versions

PAGE: Final = ROOT / "docs/reference/licences.md"
THEME: Final = "mkdocs-material"
"""Its scripts and styles are in the site of the documentation, which is in the wheel."""
ALLOWED: Final = frozenset(
    (
        "0BSD",
        "Apache 2.0",
        "Apache-2.0",
        "BSD",
        "BSD License",
        "BSD-2-Clause",
        "BSD-3-Clause",
        "CC0-1.0",
        "ISC License",
        "LLVM-exception",
        "MIT",
        "MIT License",
        "MIT-CMU",
        "MPL-2.0",
        "OFL-1.1",
        "PSF-2.0",
        "Python Software Foundation License",
        "Zlib",
    )
)
"""Licences that any user of oddsmith can comply with by passing on the notices, as metadata and classifiers spell them."""
LGPL: Final = "LGPL-3.0-only"
LGPL_PACKAGES: Final = frozenset(("psycopg", "psycopg-binary", "psycopg-pool"))
"""Allowed because only the extra `postgres` installs them, unchanged, and a user can replace them: PAGE_TEXT says so."""
LONGEST_NAME: Final = 60
"""Some packages have the whole text of the licence where its name belongs."""
PAGE_TEXT: Final = """\
# Licences

oddsmith has the MIT licence. The packages below are by others, with the licences that their authors declare. `make licences` writes this
page, and a test compares it with the lock files.

## Installed packages

What `pip` installs with oddsmith and all its extras:

{installed}

The packages of psycopg have the LGPL. They are installed only with the extra `postgres`, unchanged and as packages of their own, so that
you can replace them, as this licence demands.

## Packages in the wheel

The browser client is built from these npm packages; some of them only compile it, and leave nothing in the wheel. The last one is the
theme of this documentation.

{contained}
"""


def read_licence(package: str, versions: Sequence[str]) -> str | None:
    """Return the licence that the metadata of an installed package names, or `None` if none of these versions is installed."""
    try:
        about = metadata(package)
    except PackageNotFoundError:
        return None
    if about["Version"] not in versions:
        return None
    classifiers = [
        line.rpartition(" :: ")[2] for line in about.get_all("Classifier", ()) if line.startswith("License")
    ]
    name = next((about[key] for key in ("License-Expression", "License") if key in about), "")
    return name if 0 < len(name) <= LONGEST_NAME or not classifiers else " AND ".join(classifiers)


def is_allowed(package: str, licence: str) -> bool:
    """Return whether a package may have a licence: each part of a compound one must be allowed.

    >>> is_allowed("llvmlite", "BSD-2-Clause AND Apache-2.0 WITH LLVM-exception")
    True
    >>> is_allowed("psycopg", "LGPL-3.0-only"), is_allowed("numpy", "LGPL-3.0-only")
    (True, False)
    """
    parts = re.split(r" (?:AND|OR|WITH) ", licence.replace("(", "").replace(")", ""))
    return ALLOWED.issuperset(parts) or (licence == LGPL and package in LGPL_PACKAGES)


def read_rows(page: str) -> dict[str, str]:
    """Return the licences in the text of the page, by package."""
    return dict(re.findall(r"^\| (\S+) \| \d.* \| (.+) \|$", page, re.MULTILINE))


def render_page(page: str) -> str:
    """Return the page for the current lock files; `page` is its last text."""
    known = read_rows(page)
    installed = [
        _row(package, versions, known.get(package)) for package, versions in read_versions("runtime").items()
    ]
    theme = _row(THEME, read_versions("docs")[THEME], known.get(THEME))
    return PAGE_TEXT.format(
        installed=render_table(installed), contained=render_table([*read_shipped_npm_packages(), theme])
    )


def render_table(rows: Iterable[tuple[str, str, str]]) -> str:
    """Return a table of packages in Markdown."""
    heading = [("package", "version", "licence"), ("---", "---", "---")]
    return "\n".join(f"| {' | '.join(row)} |" for row in [*heading, *rows])


def _row(package: str, versions: Sequence[str], known: str | None) -> tuple[str, str, str]:
    return package, ", ".join(versions), read_licence(package, versions) or known or "unknown"


def main(path: Path = PAGE) -> int:
    """Write the page; return 1 if it has a licence that is not allowed."""
    page = render_page(path.read_text(encoding="utf-8"))
    path.write_text(page, encoding="utf-8")
    refused = [
        (package, licence) for package, licence in read_rows(page).items() if not is_allowed(package, licence)
    ]
    for package, licence in refused:
        sys.stderr.write(f"error: {package} has the licence '{licence}', which is not allowed\n")
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
