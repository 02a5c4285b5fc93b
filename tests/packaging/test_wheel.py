"""The wheel has the pages of the browser client and the template of reports, and is the same however often it is built."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from oddsmith.balance.reporting.report import TEMPLATE
from tests.docs.site import build_site

ROOT = Path(__file__).parents[2]
BUILD_FILES = (".gitignore", "LICENSE", "hatch_build.py", "mkdocs.yml", "pyproject.toml")
EPOCH = "1700000000"
"""The time of the last commit: every file in the wheel has it."""


def build_wheel(root: Path, folder: Path) -> Path:
    """Build the wheel of a checkout into a folder, and return it."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=root,
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return built


@pytest.fixture(scope="module")
def wheel_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel; the pages were built before the tests began, and the documentation is built now if it was not."""
    build_site()
    return build_wheel(ROOT, tmp_path_factory.mktemp("dist"))


@pytest.fixture
def wheel(wheel_file: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(wheel_file)


def test_a_copy_of_the_sources_gives_the_same_wheel(wheel_file: Path, tmp_path: Path) -> None:
    """In another folder, with other times and permissions of files."""
    copy = tmp_path / "copy"
    for folder in ("docs", "examples", "locks", "src", "tools", "web"):
        shutil.copytree(
            ROOT / folder, copy / folder, ignore=shutil.ignore_patterns("node_modules", "__pycache__")
        )
    for path in [*ROOT.glob("*.md"), *map(ROOT.joinpath, BUILD_FILES)]:
        shutil.copy(path, copy)
    for path in copy.rglob("*"):
        os.utime(path, (0, 0))
        path.chmod(path.stat().st_mode & 0o700)
    other = build_wheel(copy, tmp_path / "dist")

    assert sha256(wheel_file.read_bytes()).digest() == sha256(other.read_bytes()).digest()


def test_no_file_of_the_wheel_depends_on_the_time_or_the_folder_of_its_build(wheel: zipfile.ZipFile) -> None:
    """Pages and documentation are built before the wheel: no compressed file has a time, no file has a path of this machine."""
    contents = {name: wheel.read(name) for name in wheel.namelist()}
    times = {content[4:8] for name, content in contents.items() if name.endswith(".gz")}

    assert {bytes(4)} == times
    assert [] == [name for name, content in contents.items() if f"{ROOT}/".encode() in content]


def test_the_wheel_has_the_page_and_all_its_assets(wheel: zipfile.ZipFile) -> None:
    """Scripts and styles are in the wheel, with addresses relative to the base of the page."""
    page = wheel.read("oddsmith/pages/index.html").decode()
    base, *loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    missing = [address for address in loaded if f"oddsmith/pages{address[1:]}" not in wheel.namelist()]

    assert "/" == base
    assert {"./"} == {address[:2] for address in loaded}
    assert [] == missing
    assert {".js", ".css"} <= {Path(address).suffix for address in loaded}


def test_the_wheel_has_no_build_files(wheel: zipfile.ZipFile) -> None:
    """Neither sources nor npm packages, nor the stamp of the build."""
    assert [] == [
        name for name in wheel.namelist() if re.search(r"node_modules|\.built|\.svelte$|\.ts$|\.map$", name)
    ]


def test_the_wheel_has_the_template_of_reports(wheel: zipfile.ZipFile) -> None:
    """It is a data file next to the modules."""
    assert f"oddsmith/balance/reporting/{TEMPLATE}" in wheel.namelist()


def test_the_wheel_has_the_documentation_with_its_search(wheel: zipfile.ZipFile) -> None:
    assert {
        "oddsmith/site/index.html",
        "oddsmith/site/404.html",
        "oddsmith/site/api/oddsmith/index.html",
        "oddsmith/site/search/search_index.json",
    } <= set(wheel.namelist())
