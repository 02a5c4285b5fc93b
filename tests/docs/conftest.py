"""Pages that are made from what they describe are compared with it, or written by it."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def up_to_date(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Compare a page with what it should be, or write it when pytest is told to."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--write-docs"):
            path.write_text(text, encoding="utf-8")

        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return compare
