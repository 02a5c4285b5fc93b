"""The public surface is short, listed, and loaded when it is used."""

import subprocess
import sys

import pytest

import oddsmith


def test_every_listed_name_is_there() -> None:
    """Whatever is listed can be had, and nothing else is shown."""
    assert sorted(oddsmith.__all__) == dir(oddsmith)
    assert all(getattr(oddsmith, name) is not None for name in oddsmith.__all__)


def test_what_is_not_listed_is_not_there() -> None:
    """A wrong name is an ordinary AttributeError."""
    with pytest.raises(AttributeError, match="has no attribute 'poker_face'"):
        _ = oddsmith.poker_face


def test_the_package_runs_as_a_module() -> None:
    """`python -m oddsmith` is `oddsmith`."""
    said = subprocess.run(
        [sys.executable, "-m", "oddsmith", "--version"], check=True, capture_output=True, text=True
    )

    assert said.stdout.startswith("oddsmith ")
