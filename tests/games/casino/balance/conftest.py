"""Games are few in tests, and over before a compiler has begun."""

import pytest


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep everything in plain Python."""
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")
