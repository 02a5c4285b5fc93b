"""Registers the examples with the installed mechanics."""

import pytest

from oddsmith.registry import VARIABLE
from tests.mechanics.subjects import SOURCES


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the toy and the examples."""
    monkeypatch.setenv(VARIABLE, SOURCES)
