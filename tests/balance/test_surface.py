"""What designers call from Python is listed, and loaded when it is used."""

import subprocess
import sys
from typing import Final

import pytest

from oddsmith import balance

HEAVY: Final = ("numpy", "scipy", "matplotlib", "jinja2", "pyarrow", "distributed")


def test_every_listed_name_is_there() -> None:
    """Whatever is listed can be had, and nothing else is shown."""
    assert sorted(balance.__all__) == dir(balance)
    assert all(getattr(balance, name) is not None for name in balance.__all__)


def test_what_is_not_listed_is_not_there() -> None:
    """A wrong name is an ordinary AttributeError."""
    with pytest.raises(AttributeError, match=r"'oddsmith\.balance' has no attribute 'verdict'"):
        _ = balance.verdict


def test_importing_it_is_light() -> None:
    """No library of numbers, charts or tables is loaded by it, nor any game."""
    program = f"import sys, oddsmith.balance; print([name for name in sys.modules if name in {HEAVY} or '.games' in name])"
    said = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert "[]" == said.stdout.strip()
