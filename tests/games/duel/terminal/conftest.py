from functools import partial
from pathlib import Path

import pytest

from oddsmith.laws import check_game


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    empty = tmp_path / "here"
    empty.mkdir()
    monkeypatch.chdir(empty)
    return empty


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the laws draw from all hands instead of counting them: tests of the laws and of the games count."""
    monkeypatch.setattr("oddsmith.laws.check_game", partial(check_game, outcomes=0))
