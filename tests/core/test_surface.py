"""The public names of `oddsmith` are listed and loaded on use."""

import subprocess
import sys

import pytest

import oddsmith


def test_every_listed_name_exists() -> None:
    """`dir` shows no other."""
    assert sorted(oddsmith.__all__) == dir(oddsmith)
    assert all(getattr(oddsmith, name) is not None for name in oddsmith.__all__)


def test_an_unlisted_name_is_refused() -> None:
    """With an ordinary AttributeError."""
    with pytest.raises(AttributeError, match="has no attribute 'poker_face'"):
        _ = oddsmith.poker_face


def test_the_package_runs_as_a_module() -> None:
    """`python -m oddsmith` is `oddsmith`."""
    result = subprocess.run(
        [sys.executable, "-m", "oddsmith", "--version"], check=True, capture_output=True, text=True
    )

    assert result.stdout.startswith("oddsmith ")
