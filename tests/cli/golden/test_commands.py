"""The output of every command equals the recorded one; `pytest tests/cli/golden --write-golden` records it."""

from collections import Counter
from difflib import unified_diff
from importlib.metadata import version
from pathlib import Path
from typing import Final

import pytest

from lock_files import read_versions
from tests.cli.golden.cases import HERE, read_blocks, read_cases, run_case, write_blocks

NAMES: Final = sorted(path.stem for path in (HERE / "commands").glob("*.txt"))
CASES: Final = [(name, case) for name in NAMES for case in read_cases(name)]
IDS: Final = [f"{name}-{case[:100]}".encode("ascii", "backslashreplace").decode() for name, case in CASES]

OTHER_LIBRARIES: Final = [
    library for library in ("matplotlib", "scipy") if version(library) not in read_versions("test")[library]
]
"""Outputs are recorded with the locked versions; another one draws other bytes, and computes other last digits."""


def differences(recorded: str, actual: str) -> str:
    return "\n".join(
        unified_diff(recorded.splitlines(), actual.splitlines(), "recorded", "printed", lineterm="")
    )


@pytest.mark.parametrize(("name", "case"), CASES, ids=IDS)
def test_output_equals_the_recorded_one(name: str, case: str, folder: Path, *, is_recording: bool) -> None:
    path = HERE / "outputs" / f"{name}.txt"
    recorded = read_blocks(path)
    if OTHER_LIBRARIES and ("SHA-256" in recorded.get(case, "") or case.startswith("oddsmith metrics")):
        pytest.skip(f"recorded with another version of {' and '.join(OTHER_LIBRARIES)}")
    actual = run_case(case, folder)
    if is_recording:
        recorded[case] = actual
        write_blocks(path, {each: recorded[each] for each in read_cases(name) if each in recorded})

    assert actual == recorded[case], differences(recorded[case], actual)


@pytest.mark.parametrize("name", NAMES)
def test_every_case_is_recorded_once(name: str) -> None:
    cases = read_cases(name)

    assert [] == [case for case, times in Counter(cases).items() if times > 1]
    assert cases == [*read_blocks(HERE / "outputs" / f"{name}.txt")]
