"""Speed of lint, tuning and sweeps, and the speed-up of a sweep by a second process."""

import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import tomli_w

from bench.floors import hold, numpy_sort, python_loop
from bench.measure import Run, alternate, command, process, seconds
from bench.rows import Row, Unit, against_floor
from oddsmith.balance.sweeping import read_sweep, write_sweep
from oddsmith.balance.tuning.targets import Targets, parse_targets
from oddsmith.balance.tuning.tune import tune
from oddsmith.games.destiny import Rules

CONTESTS: Final = Path(__file__).parents[1] / "examples" / "sweeps" / "contests.toml"
SWEEP_SECONDS: Final = 10
LEVELS: Final = 100
"""Levels of each of two skills in a sweep; every level of a third skill adds their product to its rows."""
SORTS: Final = "import numpy as np; a = np.random.default_rng(1).random(1_000_000); [np.sort(a, kind='stable') for _ in range({})]"
"""Work of a bare process: numpy's sorts, as many as take some seconds."""
ABLE: Final = {"skills": {"lockpicking": 50, "stealth": 40}}
CRIMES: Final = {
    "pickpocket": "85%",
    "petty_theft": "75%",
    "burglary": "60%",
    "stagecoach_robbery": "48%",
    "bank_robbery": "35%",
    "train_heist": "15%",
    "legendary_score": "5%",
}


def rows() -> Iterator[Row]:
    """Yield the benchmarks of lint, tuning and sweeps."""
    yield hold(
        "oddsmith lint, all five games, tables cached",
        command(["lint", "--fail-on", "never"]),
        python_loop(10_000_000),
        most=27,
        reason="some hundred checks of five games, whose solved duels the warm-up run has cached",
        repeats=2,
    )
    yield _tuning()
    yield from _sweeps()


def make_targets() -> Targets:
    """Return the targets: how often each crime succeeds, and that ten levels more win 60 to 65 %."""
    crimes = [
        {"figure": "check.success", "target": crime, "character": ABLE, "is": chance, "within": "1%"}
        for crime, chance in CRIMES.items()
    ]
    contests = [
        {
            "figure": "contest.win",
            "attacker": {"skills": {"gun_fighting": level + 10}},
            "defender": {"skills": {"gun_fighting": level}},
            "between": ["60%", "65%"],
        }
        for level in (10, 40, 70)
    ]
    changes = [
        {"key": "crimes.*.threshold", "least": 30, "most": 500, "step": 1, "keep_order": True},
        {"key": "curve_linear", "least": 0, "most": 2},
        {"key": "curve_exponent", "least": 1, "most": 2},
        {"key": "curve_coefficient", "least": 0, "most": "0.2", "step": "0.001"},
    ]
    return parse_targets({"targets": [*crimes, *contests], "change": changes}, Rules())


def _tuning() -> Row:
    """Measure tuning; raise `RuntimeError` if a target is not reached."""
    targets = make_targets()
    if not tune(targets).reached:
        raise RuntimeError("tuning reaches no longer all targets")
    return hold(
        "seven thresholds and three contests tuned",
        lambda: tune(targets),
        numpy_sort(1_000_000),
        most=50,
        reason="SciPy asks for some thousand exact contests and checks of new rules; nothing is cached between two",
        repeats=3,
    )


def _sweeps() -> Iterator[Row]:
    contests = read_sweep(str(CONTESTS))
    with TemporaryDirectory() as folder:
        tables = (Path(folder) / f"{number}.parquet" for number in count())
        yield hold(
            f"a sweep of {contests.rows:,} exact contests into Parquet, one process",
            lambda: write_sweep(contests, next(tables), workers=1),
            python_loop(100 * contests.rows),
            most=25,
            reason="each row is an exact contest and a line of the table",
            repeats=3,
        )
        yield _speed_up(Path(folder))


def _speed_up(folder: Path) -> Row:
    """Compare the speed-up of a sweep by a second process with that of bare processes of numpy.

    Two cores of a machine may be two threads of one, which makes no work twice as fast: the floor is measured. Every sweep is
    a command, because worker processes import the program that starts them.
    """
    tried = seconds(_sweep_command(folder, levels=1, workers=1))
    levels = max(1, round(SWEEP_SECONDS / tried))
    sorts = max(2, 2 * round(SWEEP_SECONDS / seconds(process(["-c", SORTS.format(10)])) * 5))
    one, two, bare_one, bare_two = alternate(
        _sweep_command(folder, levels=levels, workers=1),
        _sweep_command(folder, levels=levels, workers=2),
        _bare_processes(sorts),
        _bare_processes(sorts // 2, sorts // 2),
        repeats=1,
    )
    return against_floor(
        f"speed-up of a sweep of {SWEEP_SECONDS} s by two processes",
        one / two,
        ("speed-up of numpy's sorts by two bare processes", bare_one / bare_two),
        most=1.7,
        reason="the start of the workers and the writing of the table are not shared; contests use one thread each",
        unit=Unit.TIMES,
    )


def _sweep_command(folder: Path, *, levels: int, workers: int) -> Run:
    """Return a function that sweeps exact contests, with `levels` levels of a third skill, in a new process."""
    side = {"skills": {"gun_fighting": 1, "stealth": 1}}
    varied = {
        "attacker.skills.gun_fighting": LEVELS,
        "defender.skills.gun_fighting": LEVELS,
        "attacker.skills.stealth": levels,
    }
    sweep = {
        "game": "destiny",
        "figures": {"win": {"figure": "contest.win", "attacker": side, "defender": side}},
        "vary": [{"key": f"figures.win.{key}", "from": 1, "to": to} for key, to in varied.items()],
    }
    file, table = folder / f"{levels}.toml", folder / "contests.parquet"
    file.write_text(tomli_w.dumps(sweep), encoding="utf-8")
    return command(["sweep", str(file), "--out", str(table), "--force", "--workers", str(workers)])


def _bare_processes(*sorts: int) -> Run:
    """Return a function that runs processes at the same time, each with a number of sorts."""

    def run() -> None:
        started = [subprocess.Popen([sys.executable, "-c", SORTS.format(number)]) for number in sorts]
        for one in started:
            one.wait()

    return run
