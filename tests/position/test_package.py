"""A mechanic in a package of its own: built, installed into an empty folder, and found by its entry point."""

import os
import shutil
import subprocess  # the installed package is used by another process
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "examples" / "package"


def run(*words: str, path: Path) -> str:
    """Return the output of a process that finds packages in a folder, too."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(path),
        "NO_COLOR": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    done = subprocess.run(
        [sys.executable, "-m", *words], env=environment, cwd=path, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the package from a copy, without a network, and return the folder that it is installed in; this takes seconds."""
    copy, target = tmp_path_factory.mktemp("copy") / "package", tmp_path_factory.mktemp("target")
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    options = ("--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", str(target))
    run("pip", "install", *options, str(copy), path=target)
    return target


def test_an_installed_mechanic_is_found_by_its_entry_point(installed: Path) -> None:
    lines = run("oddsmith", "laws", "high_roll", "--playouts", "4", path=installed).splitlines()

    assert lines[0].startswith("high_roll  4 playouts, ")
    assert {"✓"} == {line[0] for line in lines[1:] if not line.startswith(" ")}


def test_the_rules_of_an_installed_mechanic_are_printed(installed: Path) -> None:
    lines = run("oddsmith", "rules", "high_roll", "--set", "sides=20", path=installed).splitlines()

    assert "sides  20" in lines
