"""A contest of attrition is worth what a plain recursion over fractions says, within the error that is told."""

import sys
import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import inf
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from oddsmith.errors import InputError
from oddsmith.odds import attrition
from oddsmith.odds.attrition import Contest, Exchange, Hands, Values, frontier_kernels, kernels, solve
from oddsmith.odds.attrition.contest import Payoff

NEVER = -inf


def exactly(contest: Contest) -> Callable[[int, int, int], Fraction]:
    """Solve by recursion, over fractions, as the contest reads."""
    exchange = list(zip(*(numbers.tolist() for numbers in _fields(contest.exchange)), strict=True))
    kinds = list(zip(*(numbers.tolist() for numbers in _fields(contest.hands)), strict=True))
    rounds, least_dealt, least_taken = contest.rounds, contest.least_dealt, contest.least_taken

    def after(round_: int, own: int, opponent: int, column: int) -> Fraction:
        own, opponent = max(0, own), max(0, opponent)
        if round_ == rounds or not own or not opponent:
            return Fraction(contest.payoff(round_, own, opponent)[column])
        return value(round_ + 1, own, opponent)

    @cache
    def value(round_: int, own: int, opponent: int) -> Fraction:
        flight = [Fraction(worth) for worth in (contest.flight[round_ - 1],) if worth != NEVER]

        def worth(kind: tuple[list[int], list[int], Any], column: int) -> Fraction:
            options = list(zip(kind[0], kind[1], strict=True))
            led = [
                [
                    after(
                        round_,
                        own - max(least_taken, attack - d),
                        opponent - max(least_dealt, a - defense),
                        column,
                    )
                    for a, d in options
                ]
                for attack, defense, _ in exchange
            ]
            weights = [ways for _, _, ways in exchange]
            if contest.shown:
                return _average(
                    [max(*row, *flight) if len(row) + len(flight) > 1 else row[0] for row in led], weights
                )
            return max([*(_average(list(way), weights) for way in zip(*led, strict=True)), *flight])

        drawn = [(kind, column, ways) for kind in kinds for column, ways in enumerate(kind[2]) if ways]
        return _average([worth(kind, column) for kind, column, _ in drawn], [ways for *_, ways in drawn])

    return value


def _fields(drawn: Hands | Exchange) -> tuple[Any, Any, Any]:
    return drawn.attack, drawn.defense, drawn.ways


def _average(values: list[Fraction], weights: list[int]) -> Fraction:
    return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def worst(contest: Contest, values: Values) -> Fraction:
    """Return how far the worst value is from the exact one."""
    exact = exactly(contest)
    return max(
        abs(Fraction(values.value(*state)) - exact(*state))
        for state in product(
            range(1, contest.rounds + 1), range(1, contest.own + 1), range(1, contest.opponent + 1)
        )
    )


def knock_out(_: int, own: int, opponent: int) -> list[float]:
    return [1.0 if own > 0 == opponent else 0.0]


@st.composite
def contests(draw: st.DrawFn) -> Contest:
    """Draw a small contest: numbers may be negative, payoffs may be anything, and weights may be 0."""
    own, opponent, rounds = draw(st.integers(1, 6)), draw(st.integers(1, 6)), draw(st.integers(1, 4))
    kinds, options, pairs, columns = (draw(st.integers(1, most)) for most in (3, 3, 4, 3))

    def numbers(low: int, high: int, *shape: int) -> NDArray[np.int64]:
        size = int(np.prod(shape))
        listed = draw(st.lists(st.integers(low, high), min_size=size, max_size=size))
        return np.array(listed, dtype=np.int64).reshape(shape)

    hand_ways, pair_ways = numbers(0, 3, kinds, columns), numbers(0, 3, pairs)
    hand_ways[0, 0] += 1
    pair_ways[0] += 1
    payoff = draw(
        st.sampled_from(
            [
                lambda _, own, opponent: (
                    [1.0 if own > 0 == opponent else 0.25 if own >= opponent else 0.0] * columns
                ),
                lambda _, own, opponent: [
                    (column + 1) * 0.7 if own > 0 == opponent else 0.0 for column in range(columns)
                ],
                lambda round_, own, opponent: [
                    (own * 7 + opponent * 5 + round_ * 3 + column * 11) % 13 / 8 - 0.5
                    for column in range(columns)
                ],
                lambda _, own, opponent: [
                    own * 0.1 - opponent * 0.05 + 0.01 * column * own for column in range(columns)
                ],
            ]
        )
    )
    return Contest(
        own=own,
        opponent=opponent,
        rounds=rounds,
        least_dealt=draw(st.integers(0, 2)),
        least_taken=draw(st.integers(0, 1)),
        shown=draw(st.booleans()),
        hands=Hands(numbers(-2, 6, kinds, options), numbers(-2, 6, kinds, options), hand_ways),
        exchange=Exchange(numbers(-2, 7, pairs), numbers(-2, 4, pairs), pair_ways),
        payoff=payoff,
        flight=draw(st.lists(st.sampled_from([NEVER, 0.1, 0.3]), min_size=rounds, max_size=rounds)),
    )


def small(**changes: object) -> Contest:
    """Return a contest in which each round one of the pools loses a point."""
    fields: dict[str, Any] = {
        "own": 2,
        "opponent": 2,
        "rounds": 3,
        "least_dealt": 0,
        "least_taken": 0,
        "shown": False,
        "hands": Hands(np.array([[1, 0]]), np.array([[0, 1]]), np.array([[1]])),
        "exchange": Exchange(np.array([0, 1]), np.array([0, 0]), np.array([1, 1])),
        "payoff": knock_out,
        "flight": [NEVER] * 3,
    }
    return Contest(**(fields | changes))


def varied(shown: bool, payoff: Payoff = knock_out, columns: int = 1) -> Contest:  # noqa: FBT001  told apart by a test's parameter
    """Return a contest in which every clamp is met: some attacks are blocked, and some do not get through."""
    draw = np.random.default_rng(7)
    attack, defense = draw.integers(-1, 10, (9, 4)), draw.integers(-1, 6, (9, 4))
    attack[:, 0], defense[:, 0] = 0, 6
    attacks, defenses = (numbers.ravel() for numbers in np.meshgrid([0, 3, 5, 20], np.arange(-1, 5)))
    return Contest(
        own=4,
        opponent=5,
        rounds=2,
        least_dealt=1,
        least_taken=1,
        shown=shown,
        hands=Hands(attack, defense, draw.integers(0, 9, (9, columns))),
        exchange=Exchange(attacks, defenses, draw.integers(0, 5, attacks.size)),
        payoff=payoff,
        flight=[0.05, 1.0] if payoff is knock_out else [NEVER, 0.5],
    )


def by_suit(_: int, own: int, opponent: int) -> list[float]:
    return [column + 1.0 if own > 0 == opponent else 0.0 for column in range(2)]


def by_points(_: int, own: int, opponent: int) -> list[float]:
    return [own * (column - 0.75) - opponent for column in range(2)]


def by_all_points(_: int, own: int, opponent: int) -> list[float]:
    return [own + opponent / 2]


VARIED = [
    varied(shown, payoff, columns)
    for shown in (False, True)
    for payoff, columns in ((knock_out, 1), (by_suit, 2), (by_points, 2), (by_all_points, 1))
]


@given(contests())
@settings(max_examples=100)
def test_values_are_those_of_a_recursion_over_fractions(contest: Contest) -> None:
    """Whatever the numbers, the payoffs and the columns: no value is further off than the error that is told."""
    values = solve(contest, workers=1)

    assert worst(contest, values) <= values.error < 1e-12


@pytest.mark.parametrize("contest", VARIED)
def test_larger_contests_meet_every_clamp(contest: Contest) -> None:
    """Blocked attacks, attacks that do not get through, and classes that end alike are as exact as the small ones."""
    values = solve(contest)

    assert worst(contest, values) <= values.error < 1e-12


def test_attacks_that_no_option_blocks_share_all_classes() -> None:
    """Where every attack gets through, and waiting may pay, the values are still those of the recursion."""
    contest = small(
        own=9,
        shown=True,
        exchange=Exchange(np.array([3, 4]), np.array([0, 1]), np.array([1, 2])),
        payoff=by_all_points,
    )
    values = solve(contest)

    assert worst(contest, values) <= values.error < 1e-12


@pytest.fixture
def _uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the Python functions where the compiled ones are."""
    for module in (kernels, frontier_kernels):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)


@pytest.fixture(scope="module")
def compiled() -> list[Values]:
    return [solve(contest) for contest in VARIED]


@pytest.mark.usefixtures("_uncompiled")
def test_compiled_kernels_do_what_they_say(compiled: list[Values]) -> None:
    """Run as Python, each kernel finds the same, within rounding."""
    for values in compiled:
        spoken = solve(values.contest)

        assert np.nanmax(np.abs(spoken.array - values.array)) <= values.error


@pytest.mark.parametrize("contest", VARIED)
def test_values_do_not_depend_on_the_number_of_threads(contest: Contest) -> None:
    """One thread finds what two find, bit by bit."""
    assert solve(contest, workers=1).array.tobytes() == solve(contest, workers=2).array.tobytes()


def test_waiting_for_a_better_hand_may_pay() -> None:
    """Where the reward depends on the hand that ends it, a knock-out is put off: 3 of 4 hands pay 1, the last 9."""
    contest = small(
        own=9,
        opponent=1,
        rounds=2,
        shown=True,
        hands=Hands(np.array([[1, 0]]), np.array([[0, 0]]), np.array([[3, 1]])),
        exchange=Exchange(np.array([0]), np.array([0]), np.array([1])),
        payoff=lambda _, own, opponent: [1.0, 9.0] if own > 0 == opponent else [0.0, 0.0],
        flight=[NEVER] * 2,
    )
    values = solve(contest)

    assert 3.0 == values.value(2, 9, 1)
    assert 4.5 == values.value(1, 9, 1)


@pytest.mark.parametrize("shown", [False, True])
def test_walking_away_is_taken_where_it_is_worth_more(shown: bool) -> None:  # noqa: FBT001  a parameter of the test
    """Whoever may walk away for 2 does so before any knock-out for 1, and only in the round that allows it."""
    values = solve(small(shown=shown, flight=[NEVER, 2.0, NEVER]))

    assert 2.0 == values.value(2, 1, 1)
    assert values.value(3, 1, 1) < 1.0
    assert values.value(1, 2, 2) == 2.0


def test_after_a_round_comes_the_payoff_or_the_next_round() -> None:
    """What an exchange has left is worth the payoff when a pool is empty or the rounds are, else the next value."""
    values = solve(small())

    assert 1.0 == values.value_after(1, 1, 0)
    assert 0.0 == values.value_after(1, -3, 1)
    assert 0.0 == values.value_after(3, 1, 1)
    assert values.value(2, 1, 2) == values.value_after(1, 1, 2)


def test_progress_hears_a_rising_share() -> None:
    """The last that is told is 1: all is done."""
    told: list[float] = []
    solve(small(), progress=told.append)

    assert sorted(told) == told
    assert 1.0 == told[-1]


def test_an_interrupt_leaves_no_thread_behind() -> None:
    """Whatever `progress` raises comes out at once, and the threads are gone."""
    before = threading.active_count()

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(small(), progress=interrupt)

    assert before == threading.active_count()


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not installed the extra is told which one."""
    monkeypatch.delattr(attrition, "rounds")
    monkeypatch.setitem(sys.modules, "oddsmith.odds.attrition.rounds", None)

    with pytest.raises(InputError, match=r"install oddsmith\[solve\]"):
        solve(small())


ONE = np.array([[1]])
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("bad_contest", {"own": 0}),
    ("bad_contest", {"least_dealt": -1}),
    ("bad_contest", {"flight": [NEVER]}),
    ("bad_contest", {"flight": [NEVER, inf, 0.0]}),
    ("bad_hands", {"hands": Hands(np.array([[1, 2]]), ONE, ONE)}),
    ("bad_number", {"hands": Hands(ONE.astype(np.int32), ONE, ONE)}),
    ("bad_number", {"hands": Hands(ONE, ONE * 20_000, ONE)}),
    ("bad_weight", {"hands": Hands(ONE, ONE, ONE * 0)}),
    ("bad_weight", {"exchange": Exchange(np.array([1, 1]), np.array([1, 1]), np.array([2, -1]))}),
    ("bad_exchange", {"exchange": Exchange(np.array([1, 1]), np.array([1]), np.array([1, 1]))}),
    ("bad_payoff", {"payoff": lambda *_: [1.0, 2.0]}),
    ("bad_payoff", {"payoff": lambda *_: [inf]}),
]


@pytest.mark.parametrize(("code", "changes"), WRONG)
def test_what_is_no_contest_is_refused(code: str, changes: dict[str, Any]) -> None:
    """A bad number is refused with a code, and before anything is solved."""
    with pytest.raises(InputError) as caught:
        solve(small(**changes))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize("state", [(0, 1, 1), (4, 1, 1), (1, 0, 1), (1, 1, 3)])
def test_a_state_that_is_not_there_is_refused(state: tuple[int, int, int]) -> None:
    """Only states before a round, with points on both sides, have a value."""
    values = solve(small())

    with pytest.raises(InputError, match="is not between"):
        values.value(*state)
