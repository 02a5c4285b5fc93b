"""Speed of the Combat Duel: steps of the engine, solving, and cached solutions."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from tests.games.duel.referee import exchange_by_icepool

from bench.measure import Row, at_least, at_most, best, median
from oddsmith.bots import find_bot
from oddsmith.cards import cards
from oddsmith.chance import Seeded
from oddsmith.games.duel.classes import (
    cached_house_exchange,
    hand_kinds,
    house_exchange,
    side_classes,
    split_powers,
)
from oddsmith.games.duel.engine import GAME
from oddsmith.games.duel.odds import Objective, Solution, solve
from oddsmith.games.duel.rules import Fighter, Rules
from oddsmith.records import play

STRONGEST = Rules(difficulty=10)
HIDDEN = STRONGEST.replace(opponent_visible=False)
HAND = cards("10♠ 7♥ 5♣ A♦ 3♠")


def rows() -> Iterator[Row]:
    """Yield the benchmarks of the Combat Duel."""
    yield from _steps()
    yield from _compare_with_icepool()
    with _disk_cache(""):
        yield at_most(
            "duel, 100 × 150 HP × 20 rounds, hidden, solved",
            best(lambda: _call_uncached(lambda: solve(HIDDEN)), repeats=3),
            3,
        )
        yield at_most(
            "duel, 100 × 150 HP × 20 rounds, shown, solved",
            best(lambda: _call_uncached(lambda: solve(STRONGEST)), repeats=3),
            10,
        )
        for difficulty in (3, 6, 9):
            yield _measure_solution(
                f"duel at difficulty {difficulty}, shown, solved", Rules(difficulty=difficulty)
            )
        yield _measure_solution("duel at difficulty 10, hidden, solved for gold", HIDDEN, Objective.GOLD)
        yield _measure_solution("duel at difficulty 10, shown, solved for gold", STRONGEST, Objective.GOLD)
    yield from _measure_cached()


def _steps() -> Iterator[Row]:
    """Measure steps through duels that were played before."""
    bot = find_bot("duel", "random", Rules(), draw=Seeded("bench"))
    plies = [
        ply for number in range(100) for ply in play(GAME, GAME.setup(Rules(), 1), [bot], Seeded(number))
    ]

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    yield at_least("duel steps a second", len(plies) / median(steps, repeats=7), 40_000, unit="")


def _compare_with_icepool() -> Iterator[Row]:
    """Count all exchanges of the house; the tests prove that icepool gives the same counts."""
    hand_kinds()
    ours = median(lambda: _call_uncached(lambda: house_exchange(Rules(difficulty=9))), repeats=5)
    peer = median(lambda: exchange_by_icepool(4, 9), repeats=1)
    yield Row("the house's numbers", f"{ours * 1000:.0f} ms", "", held=True)
    yield Row("the house's numbers, asked of icepool", f"{peer:.2f} s", "", held=True)
    yield at_least("the house's numbers, faster than icepool", peer / ours, 2)


def _call_uncached(ask: Callable[[], object]) -> object:
    """Call a function with empty caches of other duels."""
    for cached in (split_powers, side_classes, cached_house_exchange):
        cached.cache_clear()
    return ask()


def _measure_solution(what: str, rules: Rules, objective: Objective = Objective.WIN) -> Row:
    start = time.perf_counter()
    _call_uncached(lambda: solve(rules, objective))
    return Row(what, f"{time.perf_counter() - start:.2f} s", "(no bound)", held=True)


def _measure_cached() -> Iterator[Row]:
    small = Rules(difficulty=3, player=Fighter(weapon=5, armor=3, skill=30), opponent_visible=False)
    with TemporaryDirectory() as folder, _disk_cache(folder):
        solve(HIDDEN)
        solve(small)
        yield at_most(
            "solved duel, from the disk cache, value",
            median(lambda: solve(HIDDEN).value(), repeats=20),
            0.05,
        )
        yield at_most(
            "solved duel, from the disk cache, 32 hidden splits",
            median(lambda: _splits(solve(small)), repeats=20),
            0.05,
        )


def _splits(solution: Solution) -> object:
    return solution.splits(HAND)


@contextmanager
def _disk_cache(folder: str) -> Iterator[None]:
    before = os.environ.get("ODDSMITH_CACHE")
    os.environ["ODDSMITH_CACHE"] = folder
    try:
        yield
    finally:
        os.environ.pop("ODDSMITH_CACHE")
        if before is not None:
            os.environ["ODDSMITH_CACHE"] = before
