"""Run the tests that a change touches, nearest first, as many as fit into a time budget.

    python tools/affected_tests.py                 the uncommitted change, or the last commit where there is none
    python tools/affected_tests.py --base v0.1.0   everything since a revision
    python tools/affected_tests.py --list          print the test modules and their distances; run nothing

A test module is touched if it imports a changed module, directly or through others. Its distance is the number of imports
between them; a changed test module has the distance 0. Within one distance, fast tests run first, by the durations that the
last runs have recorded. This module is also the pytest plugin that leaves out the tests beyond the budget.
"""

import argparse
import ast
import json
import os
import subprocess
import sys
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import inf
from pathlib import Path, PurePosixPath
from typing import Final, NamedTuple

import pytest

from durations import read_durations

ROOT: Final = Path(__file__).parents[1]
PLAN: Final = "ODDSMITH_TEST_PLAN"
"""The environment variable with the plan as JSON."""
SECONDS: Final = 20
UNKNOWN_SECONDS: Final = 0.2
"""The estimate for a test that was never run here."""
OVERHEAD_SECONDS: Final = 0.005
"""What pytest adds to each test in two workers, which no duration includes."""
SOURCES: Final = ("src", "tests", "bench", "chaos", "tools")
PAGES: Final = "web/src/"
"""The sources and tests of the browser client."""
NOT_UNITS: Final = "tests/web/"
"""Tests in a browser, which need a run of their own."""


class Plan(NamedTuple):
    """What the plugin selects: distances by file, and the sum of the seconds of all tests."""

    distances: dict[str, int]
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the touched tests, and return the exit status of pytest; 0 where there are none."""
    parser = argparse.ArgumentParser(
        prog="affected_tests",
        description="Run the tests that a change touches.",
        epilog="example: python tools/affected_tests.py --base HEAD~3 --seconds 60",
    )
    parser.add_argument("--base", help="a revision; by default the uncommitted change, or the last commit")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="the budget; %(default)s by default")
    parser.add_argument("--list", action="store_true", help="print the test modules; run nothing")
    given = parser.parse_args(arguments)
    try:
        changed = changed_files(ROOT, given.base)
    except subprocess.CalledProcessError as error:
        print(f"error: {error.stderr.strip() or 'git failed'}", file=sys.stderr)
        return 2
    distances = test_distances(changed, imports_of(ROOT))
    pages = [path for path in changed if path.startswith(PAGES) and (ROOT / path).exists()]
    if given.list:
        for path, distance in sorted(distances.items(), key=lambda pair: (pair[1], pair[0])):
            print(distance, path)
        return 0
    if not distances and not pages:
        print("no test is touched by this change")
    status = run_tests(distances, given.seconds) if distances else 0
    return status or (run_page_tests(pages) if pages else 0)


def changed_files(root: Path, base: str | None) -> list[str]:
    """Return the paths that differ from a revision, with new files.

    Without a base it is the last commit; where nothing differs from that, the one before it.
    """
    new = _git(root, "ls-files", "--others", "--exclude-standard")
    changed = [*_git(root, "diff", "--name-only", base or "HEAD"), *new]
    return changed if changed or base else _git(root, "diff", "--name-only", "HEAD~1")


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True)  # noqa: S607  the git on the PATH
    return done.stdout.splitlines()


def imports_of(root: Path) -> dict[str, set[str]]:
    """Return the files that each Python file imports, as paths below the root.

    Imports inside of functions count, and so does a string that is the name of a module, as lazy imports have it.
    """
    files = {
        _module_name(path.relative_to(root)): path for part in SOURCES for path in (root / part).rglob("*.py")
    }
    names = {name: path.relative_to(root).as_posix() for name, path in files.items()}
    return {
        names[name]: {names[found] for found in _imported(path, name) if found in names} - {names[name]}
        for name, path in files.items()
    }


def _module_name(path: Path) -> str:
    """Return the dotted name that a file is imported by.

    >>> _module_name(Path("src/oddsmith/games/casino/__init__.py"))
    'oddsmith.games.casino'
    """
    parts = path.with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, name: str) -> Iterator[str]:
    """Yield the dotted names that a file mentions as modules; some of them may be no modules."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                yield from (alias.name for alias in node.names)
            case ast.ImportFrom():
                above = package.split(".")[: 1 - node.level or None] if node.level else []
                base = ".".join([*above, *([node.module] if node.module else [])])
                yield base
                yield from (f"{base}.{alias.name}" for alias in node.names)
            case ast.Constant(value=str() as text):
                yield text.partition(":")[0]


def test_distances(changed: Iterable[str], imports: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return the test files and pages that a change touches, with their distances.

    A file that nobody can import touches the tests in its folder; a page touches itself.

    >>> imports = {"tests/test_b.py": {"src/b.py"}, "src/b.py": {"src/a.py"}, "src/a.py": set()}
    >>> test_distances(["src/a.py"], imports)
    {'src/a.py': 0, 'src/b.py': 1, 'tests/test_b.py': 2}
    """
    importers = defaultdict(set)
    for path, imported in imports.items():
        for found in imported:
            importers[found].add(path)
    distances: dict[str, int] = {}
    waiting = deque((path, 0) for name in changed for path in _starts(name, imports))
    while waiting:
        path, distance = waiting.popleft()
        if path not in distances:
            distances[path] = distance
            waiting.extend((importer, distance + 1) for importer in sorted(importers[path]))
    return {path: distance for path, distance in distances.items() if _is_test(path)}


def _starts(changed: str, imports: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Yield the files at which the search for touched tests begins."""
    if changed in imports or changed.endswith(".md"):
        yield changed
    elif changed.startswith(("tests/", "src/")):
        folder = changed.rpartition("/")[0]
        yield from (path for path in imports if path.rpartition("/")[0] == folder)


def _is_test(path: str) -> bool:
    """Return whether pytest collects a file: a test module, or a page or source module with examples."""
    name = path.rpartition("/")[2]
    if path.startswith("tests/"):
        return name.startswith("test_") and not path.startswith(NOT_UNITS)
    return path.startswith(("src/", "docs/")) or path == "README.md"


def tests_of_patterns(
    patterns: Iterable[str], distances: Mapping[str, int], files: Iterable[str]
) -> dict[str, int]:
    """Return all test modules that a pattern matches with their distances; those that a change does not touch are the farthest.

    A test that starts the changed program as a process touches it without an import.

    >>> files = ["tests/a/test_b.py", "tests/a/test_c.py", "tests/a/d/test_e.py"]
    >>> tests_of_patterns(["tests/a/test_*.py"], {"tests/a/test_b.py": 2}, files)
    {'tests/a/test_b.py': 2, 'tests/a/test_c.py': 3}
    """
    farthest = max(distances.values(), default=0) + 1
    wanted = [*patterns]
    found = (path for path in files if any(PurePosixPath(path).match(pattern) for pattern in wanted))
    return {path: distances.get(path, farthest) for path in found if _is_test(path)}


def plan_environment(distances: Mapping[str, int], seconds: float = inf) -> dict[str, str]:
    """Return the environment in which this plugin runs these files, nearest first, within a budget or without one."""
    return {PLAN: json.dumps(Plan({**distances}, seconds)._asdict())}


def run_tests(distances: Mapping[str, int], seconds: float) -> int:
    """Run the tests of these files that fit into the budget, on all cores; return the exit status of pytest."""
    plan = plan_environment(distances, seconds * (os.cpu_count() or 1))
    environment = os.environ | plan | {"PYTHONPATH": str(Path(__file__).parent)}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-n", "auto", "--dist", "worksteal"]
    done = subprocess.run([*command, "-p", Path(__file__).stem], cwd=ROOT, env=environment, check=False)
    return 0 if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED else done.returncode


def run_page_tests(changed: Iterable[str]) -> int:
    """Check the types of the browser client and run the tests that import changed files; return the exit status."""
    related = [path.removeprefix("web/") for path in changed]
    for words in (("run", "--silent", "check"), ("exec", "--", "vitest", "related", "--run", *related)):
        done = subprocess.run([sys.executable, "hatch_build.py", "npm", *words], cwd=ROOT, check=False)
        if done.returncode:
            return done.returncode
    return 0


# --- the plugin ------------------------------------------------------------------------------------------------------


@cache
def read_plan(text: str) -> Plan:
    """Return a plan from its JSON."""
    return Plan(**json.loads(text))


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out the files that the change does not touch.

    They are not selected by arguments: pytest would import a source file that is one, under another name.
    """
    touched = read_plan(os.environ[PLAN]).distances
    path = collection_path.relative_to(config.rootpath).as_posix()
    return True if collection_path.is_file() and path not in touched else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sort tests by distance and duration, and leave out those beyond the budget."""
    plan = read_plan(os.environ[PLAN])
    known = read_durations()
    items.sort(key=lambda item: (_distance(item, plan.distances), known.get(item.nodeid, UNKNOWN_SECONDS)))
    spent, count = 0.0, 0
    for count, item in enumerate(items, start=1):  # noqa: B007  the number is used after the loop
        spent += known.get(item.nodeid, UNKNOWN_SECONDS) + OVERHEAD_SECONDS
        if spent > plan.seconds:
            break
    left_out = items[count:]
    del items[count:]
    config.hook.pytest_deselected(items=left_out)


def pytest_report_header() -> str:
    """Return a line about what is run."""
    distances = read_plan(os.environ[PLAN]).distances
    return f"{len(distances)} files are touched; beyond the budget of time tests are left out: make test runs all"


def _distance(item: pytest.Item, distances: Mapping[str, int]) -> int:
    return distances.get(item.nodeid.partition("::")[0], len(distances))


if __name__ == "__main__":
    sys.exit(main())
