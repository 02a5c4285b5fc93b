"""`tools/mutation.py` changes what a program does, samples in the same way each time, and judges survivors."""

import subprocess
from pathlib import Path

import pytest

import mutation
from mutants import Mutant, find_places, make_mutant
from mutation import GROUPS, Area, Group, Outcome, Result, Sampled, Verdict, Verdicts
from scratch_copies import ScratchCopy

ROOT = Path(__file__).parents[2]
SHOP = Group("shop", (Area(r"src/(?P<game>\w+)/\w+\.py", ("tests/{game}/test_*.py",)),))
MUTANT = Mutant("src/shop/price.py", 2, "price", "return 1 + tax", "return 1 - tax", "")


def mutants_of(source: str) -> list[str]:
    """Return the changed lines of all mutants of a source."""
    return [
        make_mutant("a.py", source, place, text).after
        for place in find_places(source)
        for text in place.texts
    ]


@pytest.mark.parametrize(
    ("source", "mutants"),
    [
        ("a < b", ["a <= b"]),
        ("a >= b", ["a > b"]),
        ("a is  not None", ["a is None"]),
        ("a not in b", ["a in b"]),
        ("a == b != c", ["a != b != c", "a == b == c"]),
        ("a and b", ["a or b"]),
        ("a + b", ["a - b"]),
        ("(a) * (b)", ["(a) + (b)"]),
        ("not a", ["(a)"]),
        ("-a", ["(a)"]),
        ("7", ["8", "6"]),
        ("0", ["1"]),
        ("0.5", ["1.5"]),
        ("True", ["False"]),
        ("max(a)", ["min(a)"]),
        ("any(a)", ["all(a)"]),
        ("f(a, b)", ["f(b, a)"]),
        ("'♠' if a else b", ["'♠' if not (a) else b"]),
    ],
)
def test_an_expression_has_these_mutants(source: str, mutants: list[str]) -> None:
    assert [f"x = {mutant}" for mutant in mutants] == mutants_of(f"x = {source}")


@pytest.mark.parametrize(
    ("statement", "mutant"),
    [
        ("f()", "pass"),
        ("raise E", "pass"),
        ("x.y = z", "pass"),
        ("return x", "return None"),
        ("break", "continue"),
        ("continue", "break"),
    ],
)
def test_a_statement_is_left_out_or_replaced(statement: str, mutant: str) -> None:
    assert [mutant] == mutants_of(f"def f():\n    for x in y:\n        {statement}\n")


def test_a_sum_is_subtracted_or_left_out() -> None:
    assert ["x -= y", "pass"] == sorted(mutants_of("x += y"), reverse=True)


@pytest.mark.parametrize(
    "source",
    [
        '"""Adds 1 + 1."""',
        "def f(x: int | None = None) -> 'A | B': ...",
        "Name: TypeAlias = A | B",
        "@cache(maxsize=1)\ndef f(): ...",
        "class A(B, frozen=True): ...",
        "class A(Protocol):\n    def f(self):\n        return self.g(1)",
        "@overload\ndef f(x):\n    return x",
        "if TYPE_CHECKING:\n    x = 1",
        "if __name__ == '__main__':\n    x = 1",
        "__all__ = ['a'] + ['b']",
        "MOST_CACHED: Final = 64",
        "x = isinstance(y, A | B)",
        "x = f'{y:>2}' '%d'",
        "x = zip(y, strict=True)",
        "OPTIONS = {'nogil': True}",
        "match x:\n    case _ as never:\n        assert_never(never)",
    ],
)
def test_what_does_not_change_behaviour_is_left_alone(source: str) -> None:
    assert [] == mutants_of(source)


def test_texts_of_a_log_stay_but_the_entry_may_be_left_out() -> None:
    assert ["pass"] == mutants_of("self._log.info('answered', ms=round(seconds * 1000, 2))")


def test_a_mutant_names_its_function_and_line() -> None:
    source = "class Shop:\n    def price(self):\n        return (\n            1\n        )\n"
    place = find_places(source)[-1]

    assert ("a.py", 4, "Shop.price", "1", "2") == make_mutant("a.py", source, place, "2")[:5]


def write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_a_sample_depends_on_the_seed_and_has_mutants_of_a_module_in_proportion_to_its_places(
    tmp_path: Path,
) -> None:
    write(
        tmp_path,
        {"src/a/small.py": "x = 0\n" * 10, "src/b/large.py": "x = 0\n" * 90, "src/other.py": "x = 1"},
    )
    sample = mutation.sample_group(tmp_path, SHOP, "seed", 10)

    assert [("src/a/small.py", ("tests/a/test_*.py",))] + 9 * [
        ("src/b/large.py", ("tests/b/test_*.py",))
    ] == [(found.mutant.file, found.tests) for found in sample]
    assert sample == mutation.sample_group(tmp_path, SHOP, "seed", 10)
    assert sample != mutation.sample_group(tmp_path, SHOP, "another seed", 10)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_every_group_has_modules_and_tests(group: Group) -> None:
    modules = mutation.modules_of(ROOT, group)

    assert modules
    assert [] == [
        pattern for path in modules for pattern in mutation.tests_of(group, path) if not [*ROOT.glob(pattern)]
    ]


@pytest.mark.parametrize(
    ("modules", "pattern"),
    [
        (mutation.RULE_MODULES, "games/*/{}.py"),
        (mutation.ODDS_MODULES, "games/*/{}.py"),
        (mutation.GUARD_MODULES, "server/{}.py"),
    ],
)
def test_every_module_that_a_group_names_exists(modules: str, pattern: str) -> None:
    names = [name.replace(r"\w+", "*") for name in modules.split("|")]

    assert [] == [name for name in names if not [*(ROOT / "src/oddsmith").glob(pattern.format(name))]]


def test_a_list_names_the_seed_and_runs_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == mutation.main(["--list", "--group", "stores", "--count", "4", "--seed", "a"])
    lines = capsys.readouterr().out.splitlines()

    assert lines[0].startswith("seed 'a': 4 mutants of ")
    assert 4 == len([line for line in lines if line.startswith("stores: src/oddsmith/store/")])


@pytest.mark.parametrize("wrong", [["--count", "0"], ["--count", "x"], ["--group", "all"], ["--jobs", "-1"]])
def test_wrong_usage_ends_with_status_2(wrong: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        mutation.main(["--list", *wrong])

    assert 2 == ended.value.code


def result(outcome: Outcome, mutant: Mutant = MUTANT) -> Result:
    return Result(Sampled("shop", mutant, ("tests/shop/test_*.py",)), outcome, "", (), 1.0)


VERDICT = Verdict(MUTANT.file, MUTANT.function, MUTANT.before, MUTANT.after, "equivalent", "there is no tax")


def test_a_survivor_without_a_verdict_fails_and_a_verdict_does_not_count_as_killed() -> None:
    nearly_all = [result(Outcome.KILLED)] * 11 + [result(Outcome.TIMEOUT), result(Outcome.SURVIVED)]

    assert [] == mutation.failures(nearly_all, Verdicts((VERDICT,)))
    assert ["src/shop/price.py:2: no verdict"] == mutation.failures(nearly_all, Verdicts())
    assert ["shop: fewer than 92 % killed"] == mutation.failures(nearly_all[2:], Verdicts((VERDICT,)))


def test_the_report_has_a_row_for_each_group_and_survivors_with_their_verdicts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    mutation.print_report(
        [result(Outcome.KILLED), result(Outcome.TIMEOUT), result(Outcome.SURVIVED)], Verdicts((VERDICT,))
    )

    assert [
        "group      sampled  killed  timeouts  survived  killed %",
        "shop             3       2         1         1      66.7",
        "",
        "shop: src/shop/price.py:2 price",
        "  - return 1 + tax",
        "  + return 1 - tax",
        "  equivalent: there is no tax",
    ] == capsys.readouterr().out.splitlines()


def test_a_verdict_is_about_a_line_that_still_exists() -> None:
    verdicts = mutation.read_verdicts(mutation.VERDICTS).verdicts
    lines = {given.file: (ROOT / given.file).read_text().splitlines() for given in verdicts}

    assert [] == [given for given in verdicts if given.line not in map(str.strip, lines[given.file])]
    assert [] == [given for given in verdicts if not given.reason]


@pytest.fixture
def copy(tmp_path: Path) -> ScratchCopy:
    """Return a copy of a repository with a package, a test and a process that the test starts."""
    source = tmp_path / "source"
    tools = {f"tools/{path.name}": path.read_text() for path in (ROOT / "tools").glob("*.py")}
    test = "import sys, subprocess\nfrom shop.price import PRICE\n"
    write(
        source,
        tools
        | {
            "src/shop/__init__.py": "",
            "src/shop/price.py": "PRICE = 2\n",
            "tests/test_price.py": f"{test}def test_price():\n    assert PRICE == 2\n",
            "tests/test_process.py": f"{test}def test_process():\n"
            "    program = 'from shop.price import PRICE; print(PRICE)'\n"
            "    assert subprocess.check_output([sys.executable, '-c', program]) == b'2\\n'\n",
            "tests/test_time.py": "from pathlib import Path\nfrom subprocess import Popen\n"
            "from shop.price import PRICE\ndef test_time():\n"
            "    daemon = Popen(['sleep', '600'], start_new_session=True)\n"
            "    Path('daemon').write_text(str(daemon.pid))\n"
            "    daemon.wait(600 if PRICE > 2 else 0)\n",
            "pytest.ini": "[pytest]",
        },
    )
    subprocess.run(["git", "init", "-q"], cwd=source, check=True)  # noqa: S607  the git on the PATH
    return ScratchCopy.create(source, tmp_path / "copy")


def test_tests_in_a_copy_and_the_processes_that_they_start_use_its_package(copy: ScratchCopy) -> None:
    passed = copy.run_tests({"tests/test_price.py": 1, "tests/test_process.py": 2})
    with copy.mutated("src/shop/price.py", "PRICE = 3\n"):
        near = copy.run_tests({"tests/test_price.py": 1, "tests/test_process.py": 2})
        far = copy.run_tests({"tests/test_process.py": 1})

    assert 0 == passed.status, passed.output
    assert (1, "tests/test_price.py::test_price") == (near.status, near.failed), near.output
    assert (1, "tests/test_process.py::test_process") == (far.status, far.failed), far.output
    assert "PRICE = 2\n" == (copy.root / "src/shop/price.py").read_text()


def test_a_mutant_is_killed_by_a_test_that_fails_again_alone_and_passes_without_it(copy: ScratchCopy) -> None:
    """Not by one that fails once, and not by one that always fails."""
    once = "def test_once():\n    seen = Path('seen')\n    known = seen.exists()\n    seen.touch()\n    assert known\n"
    write(
        copy.root,
        {
            "tests/a/test_once.py": f"from pathlib import Path\n{once}",
            "tests/a/test_always.py": "def test_always():\n    assert False\n",
        },
    )
    imports: dict[str, set[str]] = {
        "tests/a/test_once.py": {MUTANT.file},
        "tests/a/test_always.py": {MUTANT.file},
        "tests/test_price.py": set(),
        MUTANT.file: set(),
    }
    results = []
    for patterns in (("tests/a/*.py",), ("tests/a/*.py", "tests/test_price.py")):
        (copy.root / "seen").unlink(missing_ok=True)
        sampled = Sampled("shop", MUTANT._replace(source="PRICE = 3\n"), patterns)
        found = mutation.run_mutant(copy, sampled, imports, ())
        results.append((found.outcome, found.by, {*found.unsteady}))

    unsteady = {"tests/a/test_once.py::test_once", "tests/a/test_always.py::test_always"}

    assert [
        (Outcome.SURVIVED, "", unsteady),
        (Outcome.KILLED, "tests/test_price.py::test_price", unsteady),
    ] == results


def is_running(process: str) -> bool:
    """Return whether a process has not ended; one that nobody has waited for has."""
    shown = subprocess.run(["ps", "-o", "stat=", "-p", process], capture_output=True, text=True, check=False)  # noqa: S607  the ps on the PATH
    return shown.stdout.strip()[:1] not in {"", "Z"}


def test_tests_that_hang_are_stopped_with_what_they_have_started(copy: ScratchCopy) -> None:
    """Also what is in a session of its own; the limit is as long as this machine takes to start the test."""
    daemon = copy.root / "daemon"
    for limit in (3, 15, 60):
        with copy.mutated("src/shop/price.py", "PRICE = 3\n"):
            run = copy.run_tests({"tests/test_time.py": 1}, longest_seconds=limit)

        assert run.status is None
        if daemon.exists():
            break

    assert not is_running(daemon.read_text())
