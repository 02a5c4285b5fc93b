"""A fixture that turns the compiler off: the tests play too few games for it to pay."""

import pytest


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the kernels as plain Python."""
    monkeypatch.setenv("ODDSMITH_COMPILED", "0")
