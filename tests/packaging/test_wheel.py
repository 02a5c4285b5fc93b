"""The wheel that is given out has the pages of the browser client and of reports, whole."""

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from oddsmith.balance.reporting.report import TEMPLATE
from tests.docs.site import build_site

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """Build the wheel; the pages were built before the tests began, and the documentation is built now if it was not."""
    build_site()
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (built,) = folder.iterdir()
    return zipfile.ZipFile(built)


def test_the_wheel_has_the_page_and_all_that_it_loads(wheel: zipfile.ZipFile) -> None:
    """Scripts and styles are of the same origin, in the same wheel, by addresses relative to the base that the page names."""
    page = wheel.read("oddsmith/pages/index.html").decode()
    base, *loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    missing = [address for address in loaded if f"oddsmith/pages{address[1:]}" not in wheel.namelist()]

    assert "/" == base
    assert {"./"} == {address[:2] for address in loaded}
    assert [] == missing
    assert {".js", ".css"} <= {Path(address).suffix for address in loaded}


def test_the_wheel_has_nothing_that_only_builders_need(wheel: zipfile.ZipFile) -> None:
    """Neither sources nor packages of npm, nor the stamp of the build."""
    assert [] == [
        name for name in wheel.namelist() if re.search(r"node_modules|\.built|\.svelte$|\.ts$|\.map$", name)
    ]


def test_the_wheel_has_the_page_that_reports_are_made_from(wheel: zipfile.ZipFile) -> None:
    """It is no module, and is loaded from beside the modules."""
    assert f"oddsmith/balance/reporting/{TEMPLATE}" in wheel.namelist()


def test_the_wheel_has_the_documentation_with_its_search(wheel: zipfile.ZipFile) -> None:
    assert {
        "oddsmith/site/index.html",
        "oddsmith/site/404.html",
        "oddsmith/site/api/oddsmith/index.html",
        "oddsmith/site/search/search_index.json",
    } <= set(wheel.namelist())
