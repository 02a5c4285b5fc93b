"""The documentation builds without a warning into a site that loads nothing from other origins and has no inline code."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.docs.scripts import load_script
from tests.docs.site import ROOT, build_site

MODULES: Final = re.findall(
    r"^<!-- names of ([a-z_.]+) -->$", (ROOT / "docs/reference/python.md").read_text(), re.MULTILINE
)
LOADED: Final = re.compile(
    r"<(?:script|link|img|iframe|source|object|embed)\b[^>]*?(?:src|href|data)=\"?([^\" >]+)"
)
INLINE: Final = re.compile(
    r"<script(?![^>]*(?:\bsrc=|type=\"?application/json))[^>]*>|<style\b|<[^>]+\s(?:style|on\w+)=\"[^>]*>"
)
CONFIG: Final = """
INHERIT: {mkdocs}
docs_dir: {docs}
site_dir: {site}
hooks: []
plugins: []
nav: [index.md]
"""


@pytest.fixture(scope="module")
def site() -> Path:
    """Return the folder of the site, which is built without a warning."""
    return build_site()


def test_every_page_of_the_documentation_is_in_the_site(site: Path) -> None:
    """At the path that it has in `docs/`."""
    pages = [path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")]
    missing = [page for page in pages if page.stem != "index" and not (site / page / "index.html").is_file()]

    assert [] == missing


@pytest.mark.parametrize("module", MODULES)
def test_every_public_module_has_a_page_from_its_docstrings(site: Path, module: str) -> None:
    """Each public name has a heading, also those that a package loads lazily."""
    names = load_names(module)
    page = (site / "api" / module / "index.html").read_text(encoding="utf-8")

    assert [] == [name for name in names if f'id="{module}.{name}"' not in page]


def load_names(module: str) -> list[str]:
    """Return the public names of a module that the reference lists."""
    text = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
    table = text.partition(f"<!-- names of {module} -->")[2].partition("<!-- end -->")[0]
    return re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)


def test_pages_load_only_files_of_the_site(site: Path) -> None:
    """No font, script, style or picture is of another origin, and each is there."""
    missing = []
    for page in site.rglob("*.html"):
        for address in LOADED.findall(page.read_text(encoding="utf-8")):
            file = site / address.removeprefix("/docs/") if address.startswith("/") else page.parent / address
            if not file.exists():
                missing.append((page.relative_to(site), address))

    assert [] == missing


def test_pages_have_no_inline_scripts_or_styles(site: Path) -> None:
    """The content security policy of the server forbids them."""
    found = [
        (page.relative_to(site), inline)
        for page in site.rglob("*.html")
        for inline in INLINE.findall(page.read_text(encoding="utf-8"))
    ]

    assert [] == found


def build_project(folder: Path, pages: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Build a small project with the settings of the documentation, and `index.md` in its navigation."""
    (folder / "docs").mkdir()
    for name, text in pages.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    config = folder / "mkdocs.yml"
    values = {"mkdocs": ROOT / "mkdocs.yml", "docs": folder / "docs", "site": folder / "site"}
    config.write_text(CONFIG.format(**values), encoding="utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--config-file", str(config)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_a_small_project_without_errors_builds(tmp_path: Path) -> None:
    done = build_project(tmp_path, {"index.md": "# Home\n\n[here](#home)\n"})

    assert 0 == done.returncode, done.stderr


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[missing](missing.md)", "the target is not found"),
        ("[missing](#missing)", "there is no such anchor"),
        ("[missing](/missing/)", "absolute link"),
    ],
)
def test_a_broken_link_fails_the_build(tmp_path: Path, text: str, complaint: str) -> None:
    done = build_project(tmp_path, {"index.md": f"# Home\n\n{text}\n"})

    assert 1 == done.returncode
    assert complaint in done.stderr


def test_a_page_that_is_not_in_the_navigation_fails_the_build(tmp_path: Path) -> None:
    done = build_project(tmp_path, {"index.md": "# Home\n", "other.md": "# Other\n"})

    assert 1 == done.returncode
    assert "other.md" in done.stderr


def test_links_that_leave_the_documentation_lead_to_pages_of_their_files() -> None:
    """Code stays as it is."""
    rewrite = load_script("tools", "docs_hooks.py").rewrite_links
    how_to = rewrite("[code](../../examples/embed/main.py), [odds](../index.md#odds)", "docs/how-to/embed.md")
    project = rewrite("[odds](docs/explanation/odds.md), `[a](docs/b.md)`", "CONTRIBUTING.md")

    assert "[code](../examples/embed/main-py.md), [odds](../index.md#odds)" == how_to
    assert "[odds](explanation/odds.md), `[a](docs/b.md)`" == project


def test_examples_of_docstrings_are_code_and_their_links_lead_to_pages() -> None:
    prepare = load_script("tools", "docs_docstrings.py").to_markdown

    assert "See [odds](../odds.md).\n\n```pycon\n>>> 1 + 1\n2\n```" == prepare(
        "See [odds](../../docs/odds.md).\n\n>>> 1 + 1\n2"
    )
