"""The toy is known beside the mechanics that are installed, and every test works in an empty folder."""

from pathlib import Path

import pytest

from oddsmith.mechanic import Mechanic
from oddsmith.registry import VARIABLE, find_mechanic
from tests.mechanics.subjects import TOY_FILE


@pytest.fixture(autouse=True)
def toy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ARG001  commands keep files there
    """Have the toy as a source, here and in other processes; nothing is compiled for so few games."""
    monkeypatch.setenv(VARIABLE, str(TOY_FILE))
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")
    return TOY_FILE


@pytest.fixture
def mechanic(name: str) -> Mechanic:
    """Return the mechanic of a name."""
    return find_mechanic(name)
