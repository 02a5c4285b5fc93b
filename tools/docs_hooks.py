"""Hooks of MkDocs: pages of the Python API, links to files outside of `docs/`, and scripts in files of their own."""

import posixpath
import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT: Final = Path(__file__).resolve().parents[1]
DOCS: Final = "docs/"
API: Final = "Python API"
"""The title of the API in the navigation."""
API_PAGE: Final = "---\nsearch: {{ boost: 0.2 }}\n---\n::: {module}\n"
"""The Markdown of a module's page, which search ranks below the pages that people wrote."""
MODULES_PAGE: Final = ROOT / DOCS / "reference/python.md"
MODULE: Final = re.compile(r"^## (?P<group>.*)$|^<!-- names of (?P<module>[a-z_.]+) -->$", re.MULTILINE)
MATCH_MODULES: Final = tuple(f"oddsmith.match.{name}" for name in ("machine", "model", "proofs", "views"))
"""Modules that have a page of the API without being in `MODULES_PAGE`: their names may change without notice."""
LINK: Final = re.compile(r"^```.*?^```$|`[^`\n]+`|\]\((?!\w+:|#)(?P<path>[^)\s#]+)", re.MULTILINE | re.DOTALL)
"""A link to a file; or code, which has no path and stays as it is."""
NESTED: Final = re.compile(r"^ {2,3}(?=- )", re.MULTILINE)
"""The indentation of an item in a nested list, for which Python-Markdown needs four spaces."""
SCRIPT: Final = re.compile(r"<script>(.+?)</script>", re.DOTALL)
SCRIPTS: Final = "assets/inline/"
"""The folder of the theme's inline scripts, which the content security policy of the server forbids."""
ABSOLUTE: Final = re.compile(r'(\b(?:href|src)=|"(?:base|search)": )"/')
"""An absolute URL in the page for missing pages, which may be anywhere."""
MOUNTED: Final = r'\1"/docs/'
"""The same URL on the server, which adds the prefix that it is mounted under."""
UNUSED: Final = ("assets/**/*.map", "assets/javascripts/lunr/**/*.js", "sitemap.xml*")
"""Files of the theme that no page loads: source maps, search in other languages, a sitemap without addresses."""

_scripts: dict[str, str] = {}


def on_config(config: MkDocsConfig) -> None:
    """Add the pages of the API to the navigation."""
    for entry in config.nav or ():
        if API in entry:
            entry[API] = [
                {group: [{name.removeprefix("oddsmith."): api_page(name)} for name in names]}
                for group, names in api_modules().items()
            ]


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the pages of the API, and those of files outside of `docs/` that the navigation or a page names."""
    for modules in api_modules().values():
        for module in modules:
            files.append(File.generated(config, api_page(module), content=API_PAGE.format(module=module)))
    project = {path for path in list_leaves(config.nav or ()) if (ROOT / path).is_file()}
    pages = {f"{DOCS}{file.src_uri}" for file in files.documentation_pages() if file.src_dir is not None}
    linked = {path for page in pages | project for path in linked_files(page)}
    for path in sorted(linked | project):
        included = InclusionLevel.INCLUDED if path in project else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, page_of(path), content=page_content(path), inclusion=included))


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001  the signature of the event
    """Rewrite links that leave `docs/`, and indent nested lists as Python-Markdown needs it."""
    path = page.file.src_uri if page.file.src_dir is None else f"{DOCS}{page.file.src_uri}"
    return NESTED.sub("    ", rewrite_links(markdown, path))


def on_post_page(output: str, *, page: Page, config: MkDocsConfig) -> str:  # noqa: ARG001  the signature of the event
    """Move the inline scripts of a page to files."""
    return move_scripts(output, page.url)


def on_post_template(output_content: str, *, template_name: str, config: MkDocsConfig) -> str:  # noqa: ARG001  the signature of the event
    """Put the page for missing pages below `/docs/`, and move its inline scripts to files."""
    if template_name != "404.html":
        return output_content
    return ABSOLUTE.sub(MOUNTED, move_scripts(output_content, "/"))


def on_post_build(config: MkDocsConfig) -> None:
    """Write the scripts that pages had inline, and remove files that no page loads."""
    folder = Path(config.site_dir)
    for unused in [path for pattern in UNUSED for path in folder.glob(pattern)]:
        unused.unlink()
    for path, script in _scripts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(script, encoding="utf-8")


def api_modules() -> dict[str, list[str]]:
    """Return the modules that have a page of the API, by the group that they are listed in."""
    groups: dict[str, list[str]] = {}
    group = ""
    for found in MODULE.finditer(MODULES_PAGE.read_text(encoding="utf-8")):
        group = found["group"] or group
        if found["module"]:
            groups.setdefault(group, []).append(found["module"])
    return groups | {"The match state machine": list(MATCH_MODULES)}


def api_page(module: str) -> str:
    """Return the path of a module's page, relative to `docs/`."""
    return f"api/{module}.md"


def list_leaves(nav: Iterable[object]) -> Iterator[str]:
    """Yield the paths in a navigation."""
    for entry in nav:
        match entry:
            case str():
                yield entry
            case dict():
                for value in entry.values():
                    yield from list_leaves(value if isinstance(value, list) else [value])


def linked_files(page: str) -> Iterator[str]:
    """Yield the files outside of `docs/` that a page links to; all paths are relative to the root."""
    for found in LINK.finditer((ROOT / page).read_text(encoding="utf-8")):
        if found["path"]:
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), found["path"]))
            if not target.startswith(DOCS) and (ROOT / target).is_file():
                yield target


def page_of(path: str) -> str:
    """Return the path, relative to `docs/`, of the page of a file that is relative to the root.

    >>> page_of("docs/index.md"), page_of("SECURITY.md"), page_of("examples/embed/main.py")
    ('index.md', 'SECURITY.md', 'examples/embed/main-py.md')
    """
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return path if path.endswith(".md") else f"{path.replace('.', '-')}.md"


def page_content(path: str) -> str:
    """Return the Markdown of a file's page: its text, or its code in a fence."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return text if path.endswith(".md") else f"# {path}\n\n````{Path(path).suffix[1:]}\n{text}````\n"


def rewrite_links(markdown: str, path: str) -> str:
    """Return Markdown whose links, relative to a file, lead to pages.

    >>> rewrite_links("[code](../../examples/embed/main.py), [index](../index.md#play)", "docs/how-to/embed.md")
    '[code](../examples/embed/main-py.md), [index](../index.md#play)'
    >>> rewrite_links("[odds](docs/explanation/odds.md), `[a](docs/b.md)`", "CONTRIBUTING.md")
    '[odds](explanation/odds.md), `[a](docs/b.md)`'
    """
    folder = posixpath.dirname(path)

    def rewrite(found: re.Match[str]) -> str:
        if not found["path"]:
            return found[0]
        target = page_of(posixpath.normpath(posixpath.join(folder, found["path"])))
        return f"]({posixpath.relpath(target, posixpath.dirname(page_of(path)) or '.')}"

    return LINK.sub(rewrite, markdown)


def move_scripts(html: str, url: str) -> str:
    """Return a page with its inline scripts in files; `url` is that of the page, "/" for absolute URLs."""

    def move(found: re.Match[str]) -> str:
        path = f"{SCRIPTS}{sha256(found[1].encode()).hexdigest()[:16]}.js"
        _scripts[path] = found[1]
        source = f"/{path}" if url == "/" else posixpath.relpath(path, url or ".")
        return f'<script src="{source}"></script>'

    return SCRIPT.sub(move, html)
