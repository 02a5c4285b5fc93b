from collections.abc import Iterator

import pytest
from filelock import FileLock


@pytest.fixture
def is_recording(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[bool]:
    """Return whether output is recorded; if it is, one test at a time records."""
    if not request.config.getoption("--write-golden"):
        yield False
        return
    with FileLock(tmp_path_factory.getbasetemp().parent / "golden.lock"):
        yield True
