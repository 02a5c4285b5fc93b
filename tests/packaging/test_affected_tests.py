"""`make check` runs the tests that a change touches, the nearest first, within its budget of time."""

import json
import subprocess
import sys
from pathlib import Path
from textwrap import dedent
from typing import Literal

import pytest

from affected_tests import changed_files, imports_of
from affected_tests import test_distances as distances_of
from durations import DurationRecorder, read_durations

ROOT = Path(__file__).parents[2]
CHAIN = {"tests/test_c.py": {"src/c.py"}, "src/c.py": {"src/b.py"}, "tests/test_b.py": {"src/b.py"}}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    # One commit of two files.
    for name in ("kept.py", "edited.py"):
        (tmp_path / name).write_text("")
    run_git(tmp_path, "init", "-q")
    commit_all(tmp_path)
    return tmp_path


def commit_all(root: Path) -> None:
    run_git(root, "add", ".")
    run_git(root, "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "all")


def run_git(root: Path, *words: str) -> None:
    subprocess.run(["git", *words], cwd=root, check=True)  # noqa: S607  the git on the PATH


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(dedent(text))


def test_a_change_is_every_edited_and_every_new_file(repository: Path) -> None:
    (repository / "edited.py").write_text("changed = True")
    (repository / "new.py").write_text("")
    assert ["edited.py", "new.py"] == changed_files(repository, None)


def test_without_an_uncommitted_change_it_is_that_of_the_last_commit(repository: Path) -> None:
    (repository / "edited.py").write_text("changed = True")
    commit_all(repository)
    assert ["edited.py"] == changed_files(repository, None)
    assert [] == changed_files(repository, "HEAD")


@pytest.mark.parametrize(
    "source",
    [
        "import shop.rules",
        "from shop import rules",
        "from shop.rules import PRICE",
        "def price():\n    from shop.rules import PRICE",
        "from importlib import import_module\nimport_module('shop.rules')",
        "LAZY = {'PRICE': 'shop.rules:PRICE'}",
    ],
)
def test_each_way_to_import_a_module_counts(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"src/shop/__init__.py": "", "src/shop/rules.py": "PRICE = 1", "tests/test_a.py": source})
    assert "src/shop/rules.py" in imports_of(tmp_path)["tests/test_a.py"]


def test_a_relative_import_counts(tmp_path: Path) -> None:
    write(tmp_path, {"src/shop/rules.py": "", "src/shop/a.py": "from . import rules\n"})
    assert {"src/shop/rules.py"} == imports_of(tmp_path)["src/shop/a.py"]


def test_a_test_is_as_far_away_as_the_imports_between_it_and_the_change() -> None:
    assert {"src/b.py": 0, "src/c.py": 1, "tests/test_b.py": 1, "tests/test_c.py": 2} == distances_of(
        ["src/b.py"], CHAIN | {"src/b.py": set()}
    )


def test_what_does_not_import_the_change_is_not_touched() -> None:
    assert {"src/c.py": 0, "tests/test_c.py": 1} == distances_of(["src/c.py"], CHAIN)


def test_a_data_file_touches_the_modules_in_its_folder_and_their_tests() -> None:
    imports = {"src/games/rules.py": set(), "tests/test_rules.py": {"src/games/rules.py"}}
    assert {"src/games/rules.py": 0, "tests/test_rules.py": 1} == distances_of(["src/games/a.toml"], imports)


def test_a_page_touches_its_own_examples() -> None:
    assert {"docs/rules/casino.md": 0} == distances_of(["docs/rules/casino.md"], {})


def report(test: str, when: Literal["setup", "call", "teardown"], seconds: float) -> pytest.TestReport:
    return pytest.TestReport(test, ("a.py", 1, test), {}, "passed", None, when, duration=seconds)


def test_the_duration_of_a_test_includes_its_setup_and_teardown_and_those_of_other_runs_stay(
    tmp_path: Path,
) -> None:
    path = tmp_path / "durations.json"
    first, second = DurationRecorder(path), DurationRecorder(path)
    first.pytest_runtest_logreport(report("a.py::test_a", "call", 0.25))
    first.pytest_sessionfinish()
    for when in ("setup", "call", "teardown"):
        second.pytest_runtest_logreport(report("a.py::test_b", when, 0.5))
    second.pytest_sessionfinish()
    assert {"a.py::test_a": 0.25, "a.py::test_b": 1.5} == read_durations(path)


def test_a_faster_run_lowers_a_duration_by_a_tenth_at_most(tmp_path: Path) -> None:
    """A test that was slow without tables is slow again after the next change of their module."""
    path = tmp_path / "durations.json"
    for seconds in (2.0, 0.5, 3.0):
        recorder = DurationRecorder(path)
        recorder.pytest_runtest_logreport(report("a.py::test_a", "call", seconds))
        recorder.pytest_sessionfinish()
        if seconds < 1:
            assert {"a.py::test_a": 1.8} == read_durations(path)

    assert {"a.py::test_a": 3.0} == read_durations(path)


def test_a_damaged_file_of_durations_is_none(tmp_path: Path) -> None:
    (tmp_path / "durations.json").write_text('{"a": ')
    assert {} == read_durations(tmp_path / "durations.json")


def test_near_and_fast_tests_run_first_until_the_budget_is_spent(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "test_far.py": "def test_far(): pass",
            "test_near.py": "def test_slow(): pass\ndef test_fast(): pass",
            "test_untouched.py": "def test_untouched(): pass",
            "conftest.py": """
                import affected_tests

                DURATIONS = {"test_near.py::test_slow": 2.0, "test_near.py::test_fast": 0.5, "test_far.py::test_far": 0.1}
                affected_tests.read_durations = lambda: DURATIONS
                """,
            "pytest.ini": "[pytest]",
        },
    )
    plan = json.dumps({"distances": {"test_near.py": 1, "test_far.py": 2}, "seconds": 2.0})
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-v", "-p", "affected_tests"],
        cwd=tmp_path,
        env={"ODDSMITH_TEST_PLAN": plan, "PYTHONPATH": str(ROOT / "tools")},
        capture_output=True,
        text=True,
        check=False,
    )
    run = [line.split()[0] for line in done.stdout.splitlines() if "PASSED" in line]
    assert ["test_near.py::test_fast", "test_near.py::test_slow"] == run, done.stdout
    assert "1 deselected" in done.stdout
