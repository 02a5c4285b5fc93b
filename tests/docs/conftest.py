"""A fixture that compares generated pages with their files, or writes them."""

from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def check_page(request: pytest.FixtureRequest) -> Callable[[Path, str], None]:
    """Return a function that compares a page with its expected text, or writes it with `--write-docs`."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--write-docs"):
            path.write_text(text, encoding="utf-8")

        assert text.splitlines() == path.read_text(encoding="utf-8").splitlines()

    return compare
