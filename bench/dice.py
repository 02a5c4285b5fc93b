"""Speed of Dice Hands, compared with icepool's and dyce's answers to the same question, and with bare loops."""

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from typing import Any

import icepool  # type: ignore[import-untyped]  # it ships no types
from dyce import H, P
from tests.games.dice.referee import Referee, judge_roll

from bench.floors import bare_process, hold, numpy_sort, python_loop
from bench.measure import alternate, clear_caches, command, require_equal
from bench.rows import Row, against_peer
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

LEAST_FASTER = {5: (1.7, 1.1), 7: (3, 2), 9: (5, 4), 10: (5.5, 4.5)}
"""By number of dice: how many times as fast as icepool, and as dyce. Of 5 dice, half of our time is reading the tables."""
LEVELS = 5
MIXED = ("normal",) * 4 + ("glass",) * 3 + ("odd",) * 3


def rows() -> Iterator[Row]:
    """Yield the benchmarks of Dice Hands."""
    yield hold(
        "oddsmith dice odds --dice 5, a new process",
        command(["dice", "odds", "--dice", "5"]),
        bare_process(),
        most=50,
        reason="loads typer, rich, numpy and one game",
        repeats=9,
    )
    yield from _distributions()
    yield from _levels()
    yield from _rerolls()
    yield _steps()


def _normal(size: int) -> Build:
    return Build(dice=(PoolDie("normal"),) * size)


@cache
def known_hand(faces: tuple[int, ...]) -> tuple[str, int]:
    """Return the hand and the score of a roll. Our tables of hands are package data, so the peers judge no roll twice."""
    return judge_roll(faces)


class KnownHands(Referee):
    """The evaluator of the tests' referee, which is not charged for judging a roll."""

    def final_outcome(self, final_state: Any, order: Any, outcomes: Any, /, *_: Any, **__: Any) -> Any:  # noqa: ANN401, ARG002  icepool's own types
        """Return the hand and the score of the faces."""
        return known_hand(final_state)


def ask_icepool(size: int) -> dict[tuple[str, int], int]:
    """Return in how many ways dice make each hand and score; a new evaluator has no cached counts."""
    return dict(KnownHands().evaluate(icepool.d6.pool(size)).items())


def ask_dyce(size: int) -> dict[tuple[str, int], int]:
    """Return the same, as dyce counts them."""
    counted: Counter[tuple[str, int]] = Counter()
    for faces, ways in P(*[H(6)] * size).rolls_with_counts():
        counted[known_hand(tuple(faces))] += ways
    return dict(counted)


def _distributions() -> Iterator[Row]:
    """Compute all hands and scores; all answers must be equal."""
    for size, (least_icepool, least_dyce) in LEAST_FASTER.items():
        build = _normal(size)
        answer = _joint(_from_nothing(build))
        for name, ask, least in (("icepool", ask_icepool, least_icepool), ("dyce", ask_dyce, least_dyce)):
            require_equal(answer, ask(size), f"hands and scores of {size} dice by {name}")
            ours, peer = alternate(partial(_from_nothing, build), partial(ask, size), repeats=9)
            yield against_peer(
                f"hands and scores of {size} dice, from nothing, to {name}'s",
                ours,
                (f"{name}, hands judged before", peer),
                least=least,
                reason="ours reads its tables from package data, the peers count rolls whose hands they know",
            )


def _from_nothing(build: Build) -> RollOdds:
    """Compute with empty caches, with tables read from package data."""
    clear_caches(matches, die_values, multisets)
    odds = roll_odds(build)
    require_equal(odds.hands.total, odds.scores.total, "rolls")
    return odds


def _joint(odds: RollOdds) -> dict[tuple[str, int], int]:
    return {
        (hand, total): ways
        for hand in odds.hands
        for total, ways in (odds.scores_of(hand) or odds.scores).items()
    }


def _levels() -> Iterator[Row]:
    """Ask for another level of a hand, a new one for each run, of odds that are there."""
    for size in LEAST_FASTER:
        odds = _from_nothing(_normal(size))
        longest = max(odds.hands, key=lambda hand: len(odds.scores_of(hand) or ()))
        for hand, what in (("four_of_a_kind", "four of a kind"), (longest, "the hand with most scores")):
            levels = iter(range(1_000_000))
            yield hold(
                f"hands and scores of {size} dice, another level of {what}",
                partial(_another_level, odds, hand, levels),
                python_loop(1_000),
                most=1,
                reason="only the scores of one hand are counted again, not the rolls",
                repeats=500,
            )


def _another_level(odds: RollOdds, hand: str, levels: Iterator[int]) -> object:
    return odds.with_levels({hand: next(levels) % LEVELS + 1}).scores


def _rerolls() -> Iterator[Row]:
    """Solve rerolls with empty caches, each time for another target."""
    for size, repeats, floor, most in (
        (5, 9, python_loop(100_000), 0.75),
        (10, 5, python_loop(1_000_000), 0.55),
    ):
        yield hold(
            f"best rerolls, {size} dice, 3 rerolls",
            partial(_plan, _normal(size), iter(range(98, 1_000))),
            floor,
            most=most,
            reason="backward induction over all rolls and all choices of dice to keep, in exact integers",
            repeats=repeats,
        )
    mixed = Build(dice=tuple(map(PoolDie, MIXED)))
    for exact, what, most in ((True, "exactly", 28), (False, "in floats", 9)):
        yield hold(
            f"best rerolls, 4 normal, 3 glass, 3 odd dice, {what}",
            partial(_plan, mixed, iter(range(500, 1_000)), exact=exact),
            numpy_sort(1_000_000),
            most=most,
            reason="the largest pool that is always solved: ten dice of three kinds",
            repeats=2,
        )


def _plan(build: Build, targets: Iterator[int], *, exact: bool = True) -> object:
    clear_caches(matches, die_values, multisets)
    return plan_rerolls(build, 3, target=next(targets), exact=exact).start_value(3)


def _steps() -> Row:
    """Measure steps through runs that were played before."""
    bot = find_bot("dice", "greedy", DEFAULT, draw=Seeded("bench"))
    plies = [
        ply for number in range(100) for ply in play(GAME, GAME.setup(DEFAULT, 1), [bot], Seeded(number))
    ]

    def steps() -> None:
        for ply in plies:
            GAME.step(ply.before, ply.move)

    return hold(
        f"{len(plies):,} steps of the engine",
        steps,
        python_loop(100 * len(plies)),
        most=8,
        reason="a step checks the move, scores the hand and copies the state",
    )
