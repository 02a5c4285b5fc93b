"""Registers the toy and the examples with the installed mechanics; every test has an empty folder."""

from pathlib import Path

import pytest

from oddsmith.mechanic import Mechanic
from oddsmith.registry import VARIABLE, find_mechanic
from tests.mechanics.subjects import SOURCES, TOY_FILE


@pytest.fixture(autouse=True)
def toy(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:  # noqa: ARG001  commands write files there
    """Register the toy and the examples, here and in child processes, and turn the compiler off."""
    monkeypatch.setenv(VARIABLE, SOURCES)
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")
    return TOY_FILE


@pytest.fixture
def mechanic(name: str) -> Mechanic:
    """Return the mechanic of a name."""
    return find_mechanic(name)
