"""Contests of two pools of points: the problem, its checks, and the values of its states.

Derived in [The method, whole](../../../../docs/explanation/perfect-play.md#the-method-whole).
"""

import os
from collections.abc import Callable, Sequence
from math import inf, isfinite
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from types import ModuleType

Integers: TypeAlias = NDArray[np.int64]
Payoff: TypeAlias = Callable[[int, int, int], Sequence[float]]

WIDEST_NUMBER: Final = 10_000
HEAVIEST_TOTAL: Final = 2**53
MOST_POINTS: Final = 10_000
MATRIX_DIMENSIONS: Final = 2


class Hands(msgspec.Struct, frozen=True, eq=False):
    """The kinds of hands: the options of each kind, and in how many ways it comes about.

    `attack` and `defense` have a row for each kind and a column for each option; options may repeat. `ways` has a
    row for each kind and a column for each case that a payoff distinguishes, or one column.

    >>> Hands(attack=np.array([[3, 0]]), defense=np.array([[0, 2]]), ways=np.array([[1]])).ways.tolist()
    [[1]]
    """

    attack: Integers
    defense: Integers
    ways: Integers


class Exchange(msgspec.Struct, frozen=True, eq=False):
    """The joint distribution of the opponent's attack and defence in one round: pairs with their ways.

    >>> Exchange(attack=np.array([2, 3]), defense=np.array([0, 1]), ways=np.array([5, 1])).attack.tolist()
    [2, 3]
    """

    attack: Integers
    defense: Integers
    ways: Integers


class Contest(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Two pools of points, a number of rounds, and the distributions of hands and of the opponent's numbers in each.

    In a round a hand and, independently, the opponent's numbers are drawn. The player takes one of the hand's
    options, knowing the opponent's numbers if they are `shown`. The opponent loses the attack minus its defence,
    but at least `least_dealt`. The player loses points likewise, but at least `least_taken`. The contest ends when
    a pool is empty or after the last round.

    `payoff(round, own, opponent)` returns the final value for each column of the hands' ways. `flight` has for each
    round the value of leaving the contest once the hand is known, and the opponent's numbers if they are shown:
    minus infinity where that is not allowed. `payoff_error` bounds the errors of payoffs that are values of a later
    contest.
    """

    own: int
    opponent: int
    rounds: int
    least_dealt: int
    least_taken: int
    shown: bool
    hands: Hands
    exchange: Exchange
    payoff: Payoff
    flight: Sequence[float]
    payoff_error: float = 0.0


class Values(msgspec.Struct, frozen=True, eq=False):
    """The values of all states before a round; returned by `solve`.

    `array[round - 1, own, opponent]` has the values, and NaN where a pool is empty. `error` bounds the rounding
    error of any of them.
    """

    contest: Contest
    array: NDArray[np.float64]
    error: float

    def value(self, round_: int, own: int, opponent: int) -> float:
        """Return the value of the state before a round with these points; a state out of range is refused."""
        contest = self.contest
        if not (
            1 <= round_ <= contest.rounds and 1 <= own <= contest.own and 1 <= opponent <= contest.opponent
        ):
            raise InputError(
                "unknown_state",
                f"round {round_} with {own} against {opponent} points is not between round 1 with 1 against 1 "
                f"and round {contest.rounds} with {contest.own} against {contest.opponent}",
            )
        return float(self.array[round_ - 1, own, opponent])

    def value_after(self, round_: int, own: int, opponent: int, column: int = 0) -> float:
        """Return the value of these points after the exchange of a round.

        That is the payoff for this column of the hand if the contest is over, else the value before the next round.
        """
        own, opponent = max(0, own), max(0, opponent)
        if round_ == self.contest.rounds or not own or not opponent:
            return float(self.contest.payoff(round_, own, opponent)[column])
        return self.value(round_ + 1, own, opponent)


def solve(
    contest: Contest,
    *,
    workers: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> Values:
    """Return the values of all states of a contest under optimal play of the player.

    `progress` is called with the fraction of the work that is done. `workers` is the number of threads, by default
    the number of cores; values do not depend on it. Invalid contests are refused with an `InputError`, as is a
    missing numba.

    >>> contest = Contest(
    ...     own=2, opponent=2, rounds=3, least_dealt=0, least_taken=0, shown=False,
    ...     hands=Hands(attack=np.array([[1, 0]]), defense=np.array([[0, 1]]), ways=np.array([[1]])),
    ...     exchange=Exchange(attack=np.array([0, 1]), defense=np.array([0, 0]), ways=np.array([1, 1])),
    ...     payoff=lambda round_, own, opponent: [1.0 if own > 0 == opponent else 0.0],
    ...     flight=[float("-inf")] * 3,
    ... )
    >>> solve(contest).value(1, 1, 1)
    0.5
    """
    _require_limits(contest)
    _require_hands(contest.hands)
    _require_exchange(contest.exchange)
    array, error = _load_rounds().solve_rounds(
        contest, workers or len(os.sched_getaffinity(0)), progress or (lambda _: None)
    )
    return Values(contest, array, error)


def _load_rounds() -> "ModuleType":
    try:
        from oddsmith.odds.attrition import rounds  # noqa: PLC0415  numba takes a second to load
    except ImportError as error:
        raise MissingExtraError(
            "missing_extra", "solving a contest needs numba: install oddsmith[solve]"
        ) from error
    return rounds


def _require_limits(contest: Contest) -> None:
    for name in ("own", "opponent", "rounds"):
        number = getattr(contest, name)
        if not 1 <= number <= MOST_POINTS:
            raise InputError(
                "bad_contest", f"{name} is a number from 1 to {MOST_POINTS:,}: {number} was given"
            )
    for name in ("least_dealt", "least_taken"):
        number = getattr(contest, name)
        if not 0 <= number <= MOST_POINTS:
            raise InputError(
                "bad_contest", f"{name} is a number from 0 to {MOST_POINTS:,}: {number} was given"
            )
    if len(contest.flight) != contest.rounds:
        raise InputError(
            "bad_contest",
            f"flight has one number for each of {contest.rounds} rounds: {len(contest.flight)} were given",
        )
    if not (isfinite(contest.payoff_error) and contest.payoff_error >= 0):
        raise InputError(
            "bad_contest", f"payoff_error is finite and not below 0: {contest.payoff_error} was given"
        )
    for number in contest.flight:
        if number != -inf and not isfinite(number):
            raise InputError("bad_contest", f"flight is finite, or minus infinity: {number} was given")


def _require_hands(hands: Hands) -> None:
    if (
        hands.attack.ndim != MATRIX_DIMENSIONS
        or hands.ways.ndim != MATRIX_DIMENSIONS
        or hands.attack.shape != hands.defense.shape
        or len(hands.attack) != len(hands.ways)
        or not hands.attack.size
    ):
        raise InputError(
            "bad_hands",
            f"hands have a row of options and a row of ways for each kind: "
            f"{hands.attack.shape}, {hands.defense.shape} and {hands.ways.shape} were given",
        )
    _require_numbers(hands.attack, hands.defense, hands.ways)


def _require_exchange(exchange: Exchange) -> None:
    if (
        exchange.attack.ndim != 1
        or not exchange.attack.shape == exchange.defense.shape == exchange.ways.shape
    ):
        raise InputError(
            "bad_exchange",
            f"an exchange has as many defences and ways as attacks: "
            f"{exchange.attack.shape}, {exchange.defense.shape} and {exchange.ways.shape} were given",
        )
    _require_numbers(exchange.attack, exchange.defense, exchange.ways)


def _require_numbers(attack: Integers, defense: Integers, ways: Integers) -> None:
    for numbers in (attack, defense, ways):
        if numbers.dtype != np.int64:
            raise InputError("bad_number", f"numbers are integers of 64 bits: {numbers.dtype} was given")
    for numbers in (attack, defense):
        if numbers.size and np.abs(numbers).max() > WIDEST_NUMBER:
            raise InputError("bad_number", f"attack and defence stay within ±{WIDEST_NUMBER:,}")
    if (ways < 0).any() or not 0 < sum(ways.ravel().tolist()) < HEAVIEST_TOTAL:
        raise InputError("bad_weight", "ways are counted from 0, and add up to at least 1 and less than 2^53")
