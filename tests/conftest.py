"""Speed is measured by the bench, never by a test: no example has a deadline, and CI meets the same ones each time.

`HYPOTHESIS_PROFILE` names another profile: `long` tries ten times as many examples where a test names no number, `repeatable`
tries the same ones each time and stores none.

A browser needs the event loop of its process to itself, so its tests are run by themselves: `pytest tests/web`.
"""

import os
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from hypothesis import settings

from oddsmith import disk_cache
from oddsmith.laws import check_game

BROWSER: Final = Path(__file__).parent / "web"

settings.register_profile("house", deadline=None, derandomize="CI" in os.environ, print_blob=True)
settings.register_profile("long", settings.get_profile("house"), max_examples=1000, derandomize=False)
settings.register_profile("repeatable", settings.get_profile("house"), derandomize=True, database=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "house"))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the browser out, unless it is asked for."""
    asked = any(
        BROWSER in (path, *path.parents)
        for path in (Path(given.partition("::")[0]).absolute() for given in config.args)
    )
    return True if collection_path == BROWSER and not asked else None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Work in an empty folder."""
    empty = tmp_path / "here"
    empty.mkdir()
    monkeypatch.chdir(empty)
    return empty


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start with an empty disk cache, so that nothing is solved yet."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path / "cache"))


@pytest.fixture
def sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the laws draw from all hands instead of counting them: tests of the laws and of the games count."""
    monkeypatch.setattr("oddsmith.laws.check_game", partial(check_game, outcomes=0))
