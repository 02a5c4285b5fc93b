"""The public names of `oddsmith.balance` are listed and loaded on use."""

import subprocess
import sys
from typing import Final

import pytest

from oddsmith import balance

HEAVY: Final = ("numpy", "scipy", "matplotlib", "jinja2", "pyarrow", "distributed")


def test_every_listed_name_exists() -> None:
    """`dir` shows no other."""
    assert sorted(balance.__all__) == dir(balance)
    assert all(getattr(balance, name) is not None for name in balance.__all__)


def test_an_unlisted_name_is_refused() -> None:
    """With an ordinary AttributeError."""
    with pytest.raises(AttributeError, match=r"'oddsmith\.balance' has no attribute 'verdict'"):
        _ = balance.verdict


def test_importing_it_is_light() -> None:
    """It loads no numeric, chart or table library and no game."""
    program = f"import sys, oddsmith.balance; print([name for name in sys.modules if name in {HEAVY} or '.games' in name])"
    result = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)

    assert "[]" == result.stdout.strip()
