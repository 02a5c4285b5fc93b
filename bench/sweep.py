"""Speed of sweeps: exact contests in one process, and the speed-up by a second process."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from bench.measure import Row, at_most, best
from oddsmith.balance.sweeping import Sweep, parse_sweep, read_sweep, write_sweep

CONTESTS = Path(__file__).parents[1] / "examples" / "sweeps" / "contests.toml"
MINUTE = 60
TRIED = 20
PROMISED = 1.7


def rows() -> Iterator[Row]:
    """Yield the benchmarks of sweeps."""
    contests = read_sweep(str(CONTESTS))
    with TemporaryDirectory() as folder:
        tables = (Path(folder) / f"{number}.parquet" for number in count())
        yield at_most(
            f"a sweep of {contests.rows:,} exact contests into Parquet, one process",
            best(lambda: write_sweep(contests, next(tables), workers=1), repeats=3),
            2,
        )
        wars = _wars(TRIED)
        alone = _seconds(wars, next(tables), workers=1)
        wars = _wars(round(TRIED * MINUTE / alone))
        alone = _seconds(wars, next(tables), workers=1)
        ratio = alone / _seconds(wars, next(tables), workers=2)
        yield Row(
            f"a sweep of {alone:.0f} s, by two processes",
            f"{ratio:.2f} ×",
            f"≥ {PROMISED} ×",
            ratio >= PROMISED,
        )


def _wars(number: int) -> Sweep:
    """Return a sweep of `number` gang wars, each with other characters."""
    gang = [{"skills": {"gun_fighting": level}} for level in (20, 40, 60)]
    return parse_sweep(
        {
            "game": "destiny",
            "figures": {"win": {"figure": "gang.win", "attackers": gang, "defenders": gang}},
            "vary": [{"key": "figures.win.defense_bonus", "from": 1, "to": number}],
        }
    )


def _seconds(sweep: Sweep, out: Path, *, workers: int) -> float:
    start = perf_counter()
    write_sweep(sweep, out, workers=workers)
    return perf_counter() - start


if __name__ == "__main__":
    from bench.measure import format_rows

    print(format_rows(list(rows())))
