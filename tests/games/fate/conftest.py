"""An empty folder for tests that run commands."""

from pathlib import Path

import pytest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    empty = tmp_path / "here"
    empty.mkdir()
    monkeypatch.chdir(empty)
    return empty
