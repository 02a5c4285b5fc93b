"""The wheel has the pages of the browser client and the template of reports."""

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
