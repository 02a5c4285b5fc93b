"""The Combat Duel's speed: steps of the engine, solving, and answers from the shelf."""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from tests.games.duel.referee import refereed

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
    """Measure everything that is promised of the Combat Duel."""
    yield from _steps()
    yield from _beside_icepool()
    with _shelf(""):
        yield at_most(
            "duel, 100 × 150 HP × 20 rounds, hidden, solved",
            best(lambda: _anew(lambda: solve(HIDDEN)), repeats=3),
            3,
        )
        yield at_most(
            "duel, 100 × 150 HP × 20 rounds, shown, solved",
            best(lambda: _anew(lambda: solve(STRONGEST)), repeats=3),
            10,
        )
        for difficulty in (3, 6, 9):
            yield _solved(f"duel at difficulty {difficulty}, shown, solved", Rules(difficulty=difficulty))
        yield _solved("duel at difficulty 10, hidden, solved for gold", HIDDEN, Objective.GOLD)
        yield _solved("duel at difficulty 10, shown, solved for gold", STRONGEST, Objective.GOLD)
    yield from _kept()


def _steps() -> Iterator[Row]:
    """Step again through duels that were played before, with nothing else in between."""
    bot = find_bot("duel", "random", Rules(), draw=Seeded("bench"))
    plies = [
        ply for number in range(100) for ply in play(GAME, GAME.setup(Rules(), 1), [bot], Seeded(number))
    ]

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    yield at_least("duel steps a second", len(plies) / median(steps, repeats=7), 40_000, unit="")


def _beside_icepool() -> Iterator[Row]:
    """Ask for all that the house may bring; the tests prove that both give the same counts."""
    hand_kinds()
    ours = median(lambda: _anew(lambda: house_exchange(Rules(difficulty=9))), repeats=5)
    peer = median(lambda: refereed(4, 9), repeats=1)
    yield Row("the house's numbers", f"{ours * 1000:.0f} ms", "", held=True)
    yield Row("the house's numbers, asked of icepool", f"{peer:.2f} s", "", held=True)
    yield at_least("the house's numbers, faster than icepool", peer / ours, 2)


def _anew(ask: Callable[[], object]) -> object:
    """Ask with everything forgotten that was remembered about other duels."""
    for remembered in (split_powers, side_classes, cached_house_exchange):
        remembered.cache_clear()
    return ask()


def _solved(what: str, rules: Rules, objective: Objective = Objective.WIN) -> Row:
    start = time.perf_counter()
    _anew(lambda: solve(rules, objective))
    return Row(what, f"{time.perf_counter() - start:.2f} s", "(no bound)", held=True)


def _kept() -> Iterator[Row]:
    small = Rules(difficulty=3, player=Fighter(weapon=5, armor=3, skill=30), opponent_visible=False)
    with TemporaryDirectory() as folder, _shelf(folder):
        solve(HIDDEN)
        solve(small)
        yield at_most(
            "solved duel, taken from the shelf, value",
            median(lambda: solve(HIDDEN).value(), repeats=20),
            0.05,
        )
        yield at_most(
            "solved duel, taken from the shelf, 32 hidden splits",
            median(lambda: _splits(solve(small)), repeats=20),
            0.05,
        )


def _splits(solved: Solution) -> object:
    return solved.splits(HAND)


@contextmanager
def _shelf(folder: str) -> Iterator[None]:
    before = os.environ.get("ODDSMITH_CACHE")
    os.environ["ODDSMITH_CACHE"] = folder
    try:
        yield
    finally:
        os.environ.pop("ODDSMITH_CACHE")
        if before is not None:
            os.environ["ODDSMITH_CACHE"] = before
