"""Mutation testing: how many small defects in a sample the tests of their area notice.

    python tools/mutation.py                          25 mutants of each group, with the seed `oddsmith`
    python tools/mutation.py --group odds --seed b    another sample of one group
    python tools/mutation.py --list                   print the sample; run nothing

Each mutant is a copy of the repository in which one line of `src` differs (see `mutants`). The tests of its area run there,
the nearest first, until one fails, and fails again alone: then the mutant is killed. A mutant with which a test takes several
times as long as without it is killed, too. A mutant that survives needs a test, or a verdict in
`tests/mutation-verdicts.toml` with the reason why it has none. The working tree is never changed.

The exit status is 1 where a group has fewer than 92 % killed, verdicts or not, or a survivor has no verdict.
"""

import argparse
import json
import random
import re
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from typing import Final, Literal, NamedTuple

import msgspec
import pytest
from rich.console import Console
from rich.progress import Progress

from affected_tests import ROOT, imports_of, test_distances, tests_of_patterns
from mutants import Mutant, find_places, make_mutant
from scratch_copies import ScratchCopy

SEED: Final = "oddsmith"
COUNT: Final = 25
LEAST_KILLED: Final = 92
"""Percent of the sampled mutants of each group that tests must kill."""
INTERRUPTED: Final = 130
"""The exit status after Ctrl-C, and after SIGTERM."""
VERDICTS: Final = ROOT / "tests" / "mutation-verdicts.toml"
LONGEST_LINE: Final = 150
"""Characters of a line of source in the output."""


class Area(NamedTuple):
    """Modules, as an expression for their whole path, and the patterns of their tests; `{game}` is what the expression found."""

    modules: str
    tests: tuple[str, ...]


class Group(NamedTuple):
    """A row of the table."""

    name: str
    areas: tuple[Area, ...]


RULE_MODULES: Final = (
    "abilities|checks|deck|draws|engine|model|moves|notation|objections|parts|position|rolling|round_actions|rules|"
    "scoring|shopping|triggers|values|views"
)
ODDS_MODULES: Final = "classes|endgame|known_decks|odds|pairings|policies|policy_odds|pools|purchases"
GUARD_MODULES: Final = (
    r"middleware/\w+|addresses|buckets|connection_limits|http_connection|socket_connection|settings"
)
RULE_TESTS: Final = (
    "tests/games/{game}/test_*.py",
    *(f"tests/mechanics/test_{part}.py" for part in ("laws", "parts", "questions", "records", "rules")),
)
GROUPS: Final = (
    Group(
        "rules",
        (
            Area(rf"src/oddsmith/games/(?P<game>\w+)/({RULE_MODULES})\.py", RULE_TESTS),
            Area(r"src/oddsmith/(cards|chance|die|points|poker|rules)\.py", ("tests/core/test_*.py",)),
        ),
    ),
    Group(
        "odds",
        (
            Area(r"src/oddsmith/odds/.+\.py", ("tests/odds/test_*.py",)),
            Area(
                rf"src/oddsmith/games/(?P<game>\w+)/({ODDS_MODULES})\.py",
                ("tests/odds/test_*.py", "tests/games/{game}/test_*.py"),
            ),
        ),
    ),
    Group("matches", (Area(r"src/oddsmith/match/.+\.py", ("tests/match/test_*.py",)),)),
    Group("stores", (Area(r"src/oddsmith/store/.+\.py", ("tests/store/test_*.py",)),)),
    Group("guards", (Area(rf"src/oddsmith/server/({GUARD_MODULES})\.py", ("tests/server/test_*.py",)),)),
)


class Outcome(StrEnum):
    """What became of a mutant."""

    KILLED = "killed"
    TIMEOUT = "timeout"
    SURVIVED = "survived"


class Verdict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why no test kills a mutant: it does the same as the original, or what it does differently is accepted."""

    file: str
    function: str
    line: str
    mutated: str
    verdict: Literal["equivalent", "accepted"]
    reason: str


class Verdicts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file of verdicts."""

    verdicts: tuple[Verdict, ...] = ()

    def find(self, mutant: Mutant) -> Verdict | None:
        """Return the verdict on a mutant, which is found by its text, not by the number of its line."""
        key = (mutant.file, mutant.function, mutant.before, mutant.after)
        return next(
            (
                given
                for given in self.verdicts
                if (given.file, given.function, given.line, given.mutated) == key
            ),
            None,
        )


class Sampled(NamedTuple):
    """A mutant of a sample, and the patterns of its tests."""

    group: str
    mutant: Mutant
    tests: tuple[str, ...]


class Result(NamedTuple):
    """A mutant that was tested: the test that noticed it, and those that failed but did not when they were repeated."""

    sampled: Sampled
    outcome: Outcome
    by: str
    unsteady: tuple[str, ...]
    seconds: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Test a sample, print the table and the survivors, and return the exit status."""
    given = _parser().parse_args(arguments)
    groups = [group for group in GROUPS if given.group in {None, group.name}]
    sample = [found for group in groups for found in sample_group(ROOT, group, given.seed, given.count)]
    print(
        f"seed {given.seed!r}: {len(sample)} mutants of {len({found.mutant.file for found in sample})} modules"
    )
    if given.list:
        for found in sample:
            print(f"{found.group}: {describe(found.mutant)}")
        return 0
    try:
        verdicts = read_verdicts(VERDICTS)
    except (OSError, msgspec.DecodeError) as error:
        print(f"error: {VERDICTS.relative_to(ROOT)}: {error}", file=sys.stderr)
        return 2
    try:
        with TemporaryDirectory(prefix="oddsmith-mutation-") as folder:
            copies = [ScratchCopy.create(ROOT, Path(folder) / str(number)) for number in range(given.jobs)]
            failed = "" if given.unchecked else check_unmutated(copies[0], sample)
            results = [] if failed else run_sample(copies, sample)
    except KeyboardInterrupt:
        return INTERRUPTED
    if failed:
        print(f"error: a test fails without a mutant: {failed}", file=sys.stderr)
        return 2
    print_report(results, verdicts)
    if given.json:
        given.json.write_text(
            json.dumps([_as_data(result, verdicts) for result in results], indent=1), encoding="utf-8"
        )
    return 1 if failures(results, verdicts) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mutation",
        description="Sample small defects, and count how many of them the tests of their area notice.",
        epilog="example: python tools/mutation.py --group rules --count 50 --seed nightly",
    )
    parser.add_argument(
        "--seed", default=SEED, help="the text that the sample depends on; '%(default)s' by default"
    )
    parser.add_argument(
        "--count", type=_positive, default=COUNT, help="mutants of each group; %(default)s by default"
    )
    parser.add_argument("--group", choices=[group.name for group in GROUPS], help="one group only")
    parser.add_argument("--jobs", type=_positive, default=1, help="mutants at a time; %(default)s by default")
    parser.add_argument("--list", action="store_true", help="print the sample; run nothing")
    parser.add_argument(
        "--unchecked", action="store_true", help="do not run the tests without a mutant first"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every mutant with its result, too")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


# --- the sample ------------------------------------------------------------------------------------------------------


def sample_group(root: Path, group: Group, seed: str, count: int) -> list[Sampled]:
    """Return mutants of a group: the same ones for the same sources and seed.

    All places of all modules are divided into `count` parts of equal size, and one mutant is drawn from each: a module has
    mutants in proportion to its places.
    """
    sources = {path: (root / path).read_text(encoding="utf-8") for path in modules_of(root, group)}
    places = [(path, place) for path, source in sources.items() for place in find_places(source)]
    draw = random.Random(f"{seed} {group.name}")  # noqa: S311  a sample that can be repeated
    sample = []
    for number in range(min(count, len(places))):
        begin, end = (len(places) * part // min(count, len(places)) for part in (number, number + 1))
        path, place = places[draw.randrange(begin, end)]
        mutant = make_mutant(path, sources[path], place, draw.choice(place.texts))
        sample.append(Sampled(group.name, mutant, tests_of(group, path)))
    return sample


def modules_of(root: Path, group: Group) -> list[str]:
    """Return the paths of the modules of a group, sorted."""
    paths = (path.relative_to(root).as_posix() for path in (root / "src").rglob("*.py"))
    return sorted(path for path in paths if tests_of(group, path))


def tests_of(group: Group, path: str) -> tuple[str, ...]:
    """Return the patterns of the tests of a module; none where it is not of the group.

    >>> tests_of(GROUPS[0], "src/oddsmith/games/go/scoring.py")[0]
    'tests/games/go/test_*.py'
    """
    for area in group.areas:
        found = re.fullmatch(area.modules, path)
        if found is not None:
            return tuple(pattern.format(**found.groupdict()) for pattern in area.tests)
    return ()


# --- the runs --------------------------------------------------------------------------------------------------------


def check_unmutated(copy: ScratchCopy, sample: Iterable[Sampled]) -> str:
    """Run all tests of a sample without a mutant; return the test that fails, or an empty text."""
    sample = [*sample]
    patterns = {pattern for found in sample for pattern in found.tests}
    files = {found.mutant.file: 0 for found in sample}
    run = copy.run_tests(
        files | tests_of_patterns(patterns, {}, imports_of(copy.root)), longest_seconds=600.0
    )
    return (
        ""
        if run.status == 0
        else run.failed or f"pytest ended with status {run.status}: {run.output[-2000:]}"
    )


def run_sample(copies: Sequence[ScratchCopy], sample: Sequence[Sampled]) -> list[Result]:
    """Run the tests of every mutant, as many at a time as there are copies; show the progress on a terminal."""
    free: SimpleQueue[ScratchCopy] = SimpleQueue()
    for copy in copies:
        free.put(copy)
    imports = imports_of(ROOT)
    compiled = {path for path in imports if path.startswith("src/") and _uses_compiler(ROOT / path)}

    def run(sampled: Sampled) -> Result:
        copy = free.get()
        try:
            return run_mutant(copy, sampled, imports, compiled)
        finally:
            free.put(copy)

    with (
        Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress,
        ThreadPoolExecutor(len(copies)) as pool,
    ):
        try:
            return [*progress.track(pool.map(run, sample), total=len(sample), description="mutants")]
        except KeyboardInterrupt:
            for copy in copies:
                copy.stop()
            raise


def _uses_compiler(path: Path) -> bool:
    return re.search(r"^\s*(import|from) numba\b", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def run_mutant(
    copy: ScratchCopy, sampled: Sampled, imports: Mapping[str, set[str]], compiled: Iterable[str]
) -> Result:
    """Run the tests of a mutant in a copy until one notices it.

    A test has noticed it if it fails, fails again alone, and passes alone without the mutant. Any other test that fails
    depends on other tests or on the load of the machine, and is left out.
    """
    mutant = sampled.mutant
    touched = test_distances([mutant.file], imports)
    files = {mutant.file: 0} | tests_of_patterns(sampled.tests, touched, imports)
    run_tests = partial(copy.run_tests, files, fresh_machine_code=any(path in touched for path in compiled))
    unsteady: list[str] = []
    while True:
        with copy.mutated(mutant.file, mutant.source):
            run = run_tests(without=unsteady)
            is_test = run.failed.startswith("tests/") and "::" in run.failed
            fails_again = is_test and run_tests(only=run.failed).status != 0
        if not is_test or (fails_again and copy.passes(run.failed)):
            return Result(sampled, _outcome(run.status), run.failed, tuple(unsteady), run.seconds)
        unsteady.append(run.failed)


def _outcome(status: int | None) -> Outcome:
    """Return what a status of pytest means; None is that of tests which were stopped."""
    if status is None:
        return Outcome.TIMEOUT
    return (
        Outcome.SURVIVED
        if status in {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED}
        else Outcome.KILLED
    )


# --- the report ------------------------------------------------------------------------------------------------------


def read_verdicts(path: Path) -> Verdicts:
    """Return the committed verdicts; raise `OSError` or `msgspec.DecodeError` where they cannot be read."""
    return msgspec.toml.decode(path.read_bytes(), type=Verdicts)


def print_report(results: Sequence[Result], verdicts: Verdicts) -> None:
    """Print the table of groups, then every survivor with its verdict."""
    print(f"{'group':<10}{'sampled':>8}{'killed':>8}{'timeouts':>10}{'survived':>10}{'killed %':>10}")
    for name in dict.fromkeys(result.sampled.group for result in results):
        outcomes = [result.outcome for result in results if result.sampled.group == name]
        timeouts, survived = outcomes.count(Outcome.TIMEOUT), outcomes.count(Outcome.SURVIVED)
        print(
            f"{name:<10}{len(outcomes):>8}{len(outcomes) - survived:>8}{timeouts:>10}{survived:>10}{percent_killed(outcomes):>10.1f}"
        )
    for result in results:
        if result.outcome is Outcome.SURVIVED:
            print(f"\n{result.sampled.group}: {describe(result.sampled.mutant)}")
            print(f"  {_verdict_text(verdicts.find(result.sampled.mutant))}")


def describe(mutant: Mutant) -> str:
    """Return the place of a mutant, and its first changed line without and with the change."""
    lines = (f"  {sign} {text[:LONGEST_LINE]}" for sign, text in (("-", mutant.before), ("+", mutant.after)))
    return "\n".join([f"{mutant.file}:{mutant.line} {mutant.function}", *lines])


def _verdict_text(verdict: Verdict | None) -> str:
    return "no verdict" if verdict is None else f"{verdict.verdict}: {verdict.reason}"


def percent_killed(outcomes: Sequence[Outcome]) -> float:
    """Return the percentage of mutants that are killed; a timeout is one of them.

    >>> percent_killed([Outcome.KILLED, Outcome.SURVIVED, Outcome.TIMEOUT, Outcome.KILLED])
    75.0
    """
    return 100 * (len(outcomes) - outcomes.count(Outcome.SURVIVED)) / len(outcomes)


def failures(results: Sequence[Result], verdicts: Verdicts) -> list[str]:
    """Return why the sample is not good enough; nothing where it is."""
    names = dict.fromkeys(result.sampled.group for result in results)
    outcomes = {
        name: [result.outcome for result in results if result.sampled.group == name] for name in names
    }
    survivors = [result.sampled.mutant for result in results if result.outcome is Outcome.SURVIVED]
    return [
        *(
            f"{name}: fewer than {LEAST_KILLED} % killed"
            for name in names
            if percent_killed(outcomes[name]) < LEAST_KILLED
        ),
        *(f"{found.file}:{found.line}: no verdict" for found in survivors if verdicts.find(found) is None),
    ]


def _as_data(result: Result, verdicts: Verdicts) -> dict[str, object]:
    mutant = result.sampled.mutant
    verdict = verdicts.find(mutant)
    return {
        "group": result.sampled.group,
        "file": mutant.file,
        "line": mutant.line,
        "function": mutant.function,
        "before": mutant.before,
        "after": mutant.after,
        "result": result.outcome,
        "by": result.by,
        "unsteady": result.unsteady,
        "seconds": round(result.seconds, 1),
        "verdict": verdict and verdict.verdict,
    }


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: copies are removed
    sys.exit(main())
