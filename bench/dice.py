"""Speed of Dice Hands, compared with icepool's and dyce's answers to the same question in the same run."""

import time
from collections.abc import Iterator

from tests.games.dice.referee import count_by_dyce, count_by_icepool

from bench.measure import Row, at_least, at_most, command, median
from oddsmith.bots import find_bot
from oddsmith.chance import Seeded
from oddsmith.games.dice import die_values, matches
from oddsmith.games.dice.engine import GAME
from oddsmith.games.dice.model import Build
from oddsmith.games.dice.odds import RollOdds, plan_rerolls, roll_odds
from oddsmith.games.dice.parts import PoolDie
from oddsmith.games.dice.rules import DEFAULT
from oddsmith.odds import multisets
from oddsmith.records import play

BOUNDS = {5: 0.001, 7: 0.002, 9: 0.004, 10: 0.006}
PEER_FACTOR = 5
LEVELS = 5
MIXED = ("normal",) * 4 + ("glass",) * 3 + ("odd",) * 3


def rows() -> Iterator[Row]:
    """Yield the benchmarks of Dice Hands."""
    seconds = command(["dice", "odds", "--dice", "5"])
    yield Row(
        "oddsmith dice odds --dice 5, a fresh process", f"{seconds * 1000:.0f} ms", "(no bound)", held=True
    )
    for size, bound in BOUNDS.items():
        yield from _distributions(size, bound)
    yield at_most("best rerolls, 5 dice, 3 rerolls", median(lambda: _plan(5), repeats=9), 0.05)
    yield at_most("best rerolls, 10 dice, 3 rerolls", median(lambda: _plan(10), repeats=5), 5)
    yield from _measure_mixed_pool()
    yield from _steps()


def _normal(size: int) -> Build:
    return Build(dice=(PoolDie("normal"),) * size)


def _distributions(size: int, bound: float) -> Iterator[Row]:
    """Measure all hands and scores; the three answers must be equal, and ours at least five times as fast."""
    build = _normal(size)
    ours = median(lambda: _from_nothing(build), repeats=50)
    yield at_most(f"hands and scores of {size} dice, from nothing", ours, bound)
    odds = _from_nothing(build)
    yield at_most(
        f"hands and scores of {size} dice, another level of four of a kind",
        _another_level(odds, "four_of_a_kind"),
        0.00002,
    )
    longest = max(odds.hands, key=lambda hand: len(odds.scores_of(hand) or ()))
    yield at_most(
        f"hands and scores of {size} dice, another level of the hand with most scores",
        _another_level(odds, longest),
        0.00002,
    )
    for name, referee in (("icepool", count_by_icepool), ("dyce", count_by_dyce)):
        start = time.perf_counter()
        answer = referee(size)
        peer = time.perf_counter() - start
        yield Row(f"hands and scores of {size} dice, asked of {name}", f"{peer * 1000:.0f} ms", "", held=True)
        what = f"hands and scores of {size} dice, faster than {name}"
        yield at_least(what, peer / ours, PEER_FACTOR)._replace(
            held=peer / ours >= PEER_FACTOR and answer == _joint(odds)
        )


def _another_level(odds: RollOdds, hand: str) -> float:
    levels = iter(range(1_000_000))
    return median(lambda: odds.with_levels({hand: next(levels) % LEVELS + 1}).scores, repeats=500)


def _from_nothing(build: Build) -> RollOdds:
    """Compute with empty caches, with tables read from package data."""
    for cached in (
        matches.stored_matches,
        die_values.first_matches,
        multisets.cached_multisets,
    ):
        cached.cache_clear()
    odds = roll_odds(build)
    assert odds.hands.total == odds.scores.total  # noqa: S101  both are computed, neither is lazy
    return odds


def _joint(odds: RollOdds) -> dict[tuple[str, int], int]:
    return {
        (hand, total): ways
        for hand in odds.hands
        for total, ways in (odds.scores_of(hand) or odds.scores).items()
    }


def _plan(size: int) -> object:
    return plan_rerolls(_normal(size), 3, target=98).start_value(3)


def _measure_mixed_pool() -> Iterator[Row]:
    """Solve the largest pool that is always solved: ten dice of three kinds."""
    build = Build(dice=tuple(map(PoolDie, MIXED)))
    for exact, what in ((True, "exactly"), (False, "in floats")):
        start = time.perf_counter()
        plan_rerolls(build, 3, target=500, exact=exact).start_value(3)
        taken = time.perf_counter() - start
        yield Row(
            f"best rerolls, 4 normal, 3 glass, 3 odd dice, {what}", f"{taken:.2f} s", "(no bound)", held=True
        )


def _steps() -> Iterator[Row]:
    """Measure steps through runs that were played before."""
    bot = find_bot("dice", "greedy", DEFAULT, draw=Seeded("bench"))
    plies = [
        ply for number in range(100) for ply in play(GAME, GAME.setup(DEFAULT, 1), [bot], Seeded(number))
    ]

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    speed = len(plies) / median(steps, repeats=7)
    yield Row("Dice Hands, steps a second", f"{speed:,.0f}", "(no bound)", held=True)
