"""How long each test took: recorded at the end of every run of pytest, read by `affected_tests`."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Final

import pytest

FILE: Final = Path(__file__).parents[1] / ".test_durations.json"
"""Seconds by node id; git ignores it."""
DECAY: Final = 0.9
"""A faster run lowers a recorded duration by a tenth at most: after a change, tables and machine code are made again."""


def read_durations(path: Path = FILE) -> dict[str, float]:
    """Return the recorded seconds by node id; none if no run has recorded any, or if the file is damaged."""
    try:
        durations: dict[str, float] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return durations


class DurationRecorder:
    """A pytest plugin that adds the seconds of every test to the recorded ones when a run ends."""

    def __init__(self, path: Path = FILE) -> None:
        self._path = path
        self._durations: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add the time of the setup, the call or the teardown of a test."""
        self._durations[report.nodeid] += report.duration

    def pytest_sessionfinish(self) -> None:
        """Write the durations, and keep those of tests that were not run, and nine tenths of slower ones.

        A run that ended before its first test writes none.
        """
        if self._durations:
            old = read_durations(self._path)
            new = {
                name: round(max(seconds, DECAY * old.get(name, 0.0)), 3)
                for name, seconds in self._durations.items()
            }
            text = json.dumps(old | new, indent=0)
            self._path.write_text(text, encoding="utf-8")
