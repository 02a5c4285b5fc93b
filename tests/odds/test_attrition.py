"""Values of a contest of attrition agree with a plain recursion over fractions, within the stated error."""

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
from oddsmith.odds.attrition import (
    Contest,
    Exchange,
    Hands,
    Values,
    frontier_kernels,
    kernels,
    rounds,
    solve,
)
from oddsmith.odds.attrition.contest import Payoff
from oddsmith.odds.attrition.plans import Pruning

NEVER = -inf


def solve_by_recursion(contest: Contest) -> Callable[[int, int, int], Fraction]:
    """Return the exact value function, by recursion over fractions."""
    exchange = list(zip(*(numbers.tolist() for numbers in _arrays(contest.exchange)), strict=True))
    kinds = list(zip(*(numbers.tolist() for numbers in _arrays(contest.hands)), strict=True))
    rounds, least_dealt, least_taken = contest.rounds, contest.least_dealt, contest.least_taken

    def after(round_: int, own: int, opponent: int, column: int) -> Fraction:
        own, opponent = max(0, own), max(0, opponent)
        if round_ == rounds or not own or not opponent:
            return Fraction(contest.payoff(round_, own, opponent)[column])
        return value(round_ + 1, own, opponent)

    @cache
    def value(round_: int, own: int, opponent: int) -> Fraction:
        flight = [Fraction(payoff) for payoff in (contest.flight[round_ - 1],) if payoff != NEVER]

        def hand_value(kind: tuple[list[int], list[int], Any], column: int) -> Fraction:
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
        return _average([hand_value(kind, column) for kind, column, _ in drawn], [ways for *_, ways in drawn])

    return value


def _arrays(drawn: Hands | Exchange) -> tuple[Any, Any, Any]:
    return drawn.attack, drawn.defense, drawn.ways


def _average(values: list[Fraction], weights: list[int]) -> Fraction:
    return sum((v * w for v, w in zip(values, weights, strict=True)), Fraction(0)) / sum(weights)


def worst_error(contest: Contest, values: Values) -> Fraction:
    """Return the largest distance of a value from the exact one."""
    exact = solve_by_recursion(contest)
    return max(
        abs(Fraction(values.value(*state)) - exact(*state))
        for state in product(
            range(1, contest.rounds + 1), range(1, contest.own + 1), range(1, contest.opponent + 1)
        )
    )


def knock_out_payoff(_: int, own: int, opponent: int) -> list[float]:
    return [1.0 if own > 0 == opponent else 0.0]


@st.composite
def contests(draw: st.DrawFn) -> Contest:
    """Draw a small contest: numbers may be negative, payoffs arbitrary, and weights 0."""
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


def small_contest(**changes: object) -> Contest:
    """Return a contest in which one of the pools loses a point each round."""
    fields: dict[str, Any] = {
        "own": 2,
        "opponent": 2,
        "rounds": 3,
        "least_dealt": 0,
        "least_taken": 0,
        "shown": False,
        "hands": Hands(np.array([[1, 0]]), np.array([[0, 1]]), np.array([[1]])),
        "exchange": Exchange(np.array([0, 1]), np.array([0, 0]), np.array([1, 1])),
        "payoff": knock_out_payoff,
        "flight": [NEVER] * 3,
    }
    return Contest(**(fields | changes))


def varied_contest(shown: bool, payoff: Payoff = knock_out_payoff, columns: int = 1) -> Contest:  # noqa: FBT001  positional in the parametrisation
    """Return a contest that needs every clamp: some attacks are blocked, and some deal no damage."""
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
        flight=[0.05, 1.0] if payoff is knock_out_payoff else [NEVER, 0.5],
    )


def suit_payoff(_: int, own: int, opponent: int) -> list[float]:
    return [column + 1.0 if own > 0 == opponent else 0.0 for column in range(2)]


def points_payoff(_: int, own: int, opponent: int) -> list[float]:
    return [own * (column - 0.75) - opponent for column in range(2)]


def sum_payoff(_: int, own: int, opponent: int) -> list[float]:
    return [own + opponent / 2]


VARIED = [
    varied_contest(shown, payoff, columns)
    for shown in (False, True)
    for payoff, columns in ((knock_out_payoff, 1), (suit_payoff, 2), (points_payoff, 2), (sum_payoff, 1))
]


@pytest.mark.sweep
@given(contests())
@settings(max_examples=100)
def test_values_agree_with_a_recursion_over_fractions(contest: Contest) -> None:
    """For any numbers, payoffs and columns, every value is within the stated error."""
    values = solve(contest, workers=1)

    assert worst_error(contest, values) <= values.error < 1e-12


@pytest.mark.sweep
@pytest.mark.parametrize("contest", VARIED)
def test_larger_contests_agree_with_the_recursion(contest: Contest) -> None:
    """Blocked attacks, attacks without damage, and equal classes."""
    values = solve(contest)

    assert worst_error(contest, values) <= values.error < 1e-12


@pytest.mark.sweep
def test_hands_that_block_the_same_attacks_agree_with_the_recursion() -> None:
    """With each other option of a hand, the same shown attacks are blocked and the least damage is dealt."""
    attacks, defenses = (numbers.ravel() for numbers in np.meshgrid([1, 2, 3, 4], [0, 4]))
    contest = small_contest(
        own=4,
        opponent=6,
        rounds=2,
        least_dealt=1,
        least_taken=1,
        shown=True,
        hands=Hands(np.array([[1, 2], [6, 1]]), np.array([[6, 1], [1, 3]]), np.array([[1], [1]])),
        exchange=Exchange(attacks, defenses, np.ones(8, dtype=np.int64)),
        flight=[NEVER] * 2,
    )
    values = solve(contest)

    assert worst_error(contest, values) <= values.error < 1e-12


def test_attacks_that_no_option_blocks_agree_with_the_recursion() -> None:
    """Where every attack deals damage and waiting may pay."""
    contest = small_contest(
        own=9,
        shown=True,
        exchange=Exchange(np.array([3, 4]), np.array([0, 1]), np.array([1, 2])),
        payoff=sum_payoff,
    )
    values = solve(contest)

    assert worst_error(contest, values) <= values.error < 1e-12


@pytest.fixture
def _python_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the compiled functions by their Python versions."""
    for module in (kernels, frontier_kernels):
        for name, function in list(vars(module).items()):
            if hasattr(function, "py_func"):
                monkeypatch.setattr(module, name, function.py_func)


@pytest.fixture(scope="module")
def compiled_values() -> list[Values]:
    return [solve(contest) for contest in VARIED]


@pytest.mark.usefixtures("_python_kernels")
def test_compiled_kernels_agree_with_python(compiled_values: list[Values]) -> None:
    """Within rounding."""
    for values in compiled_values:
        spoken = solve(values.contest)

        assert np.nanmax(np.abs(spoken.array - values.array)) <= values.error


@pytest.mark.sweep
@pytest.mark.parametrize("contest", VARIED)
def test_values_do_not_depend_on_the_number_of_threads(contest: Contest) -> None:
    """One thread and two give the same bits."""
    assert solve(contest, workers=1).array.tobytes() == solve(contest, workers=2).array.tobytes()


def test_waiting_for_a_better_hand_may_pay() -> None:
    """Where the reward depends on the last hand, a knock-out is delayed: 3 of 4 hands pay 1, the last 9."""
    contest = small_contest(
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
def test_flight_is_chosen_where_its_value_is_higher(shown: bool) -> None:  # noqa: FBT001  a parametrised argument
    """A flight for 2 comes before any knock-out for 1, only in the round that allows it."""
    values = solve(small_contest(shown=shown, flight=[NEVER, 2.0, NEVER]))

    assert 2.0 == values.value(2, 1, 1)
    assert values.value(3, 1, 1) < 1.0
    assert values.value(1, 2, 2) == 2.0


def test_the_value_after_a_round_is_the_payoff_or_that_of_the_next_round() -> None:
    """The payoff when a pool is empty or the rounds are over."""
    values = solve(small_contest())

    assert 1.0 == values.value_after(1, 1, 0)
    assert 0.0 == values.value_after(1, -3, 1)
    assert 0.0 == values.value_after(3, 1, 1)
    assert values.value(2, 1, 2) == values.value_after(1, 1, 2)


def test_progress_rises_to_1() -> None:
    reported: list[float] = []
    solve(small_contest(), progress=reported.append)

    assert sorted(reported) == reported
    assert 1.0 == reported[-1]


def test_an_interrupt_leaves_no_thread() -> None:
    """An error raised by `progress` is raised at once, and the threads end."""
    before = threading.active_count()

    def interrupt(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solve(small_contest(), progress=interrupt)

    assert before == threading.active_count()


@pytest.mark.parametrize(("flight", "expected"), [(NEVER, 9.0), (-4.0, 11.0)])
def test_the_error_bound_of_a_round_is_that_of_its_additions(flight: float, expected: float) -> None:
    """With s = (n + 32) / 2⁵³, relative errors are at most s / (1 - s): 1 for s = 1/2."""
    values = rounds.NextValues(np.array([[-3.0, 2.0]]), Pruning.NONE, 0.5)
    bound = rounds._error_bound(1.0, 2**52 - 32, values, flight)

    assert expected == bound


def test_without_numba_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal says which extra to install."""
    monkeypatch.delattr(attrition, "rounds", raising=False)
    monkeypatch.setitem(sys.modules, "oddsmith.odds.attrition.rounds", None)

    with pytest.raises(InputError, match=r"install oddsmith\[solve\]"):
        solve(small_contest())


ONE = np.array([[1]])
WRONG: list[tuple[str, dict[str, Any]]] = [
    ("bad_contest", {"own": 0}),
    ("bad_contest", {"least_dealt": -1}),
    ("bad_contest", {"flight": [NEVER]}),
    ("bad_contest", {"flight": [NEVER, inf, 0.0]}),
    ("bad_contest", {"payoff_error": -0.1}),
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
def test_an_invalid_contest_is_refused(code: str, changes: dict[str, Any]) -> None:
    """With a code, before anything is solved."""
    with pytest.raises(InputError) as caught:
        solve(small_contest(**changes))

    assert code == caught.value.refusal.code


@pytest.mark.parametrize("state", [(0, 1, 1), (4, 1, 1), (1, 0, 1), (1, 1, 3)])
def test_an_unknown_state_is_refused(state: tuple[int, int, int]) -> None:
    """Only states before a round, with points on both sides, have a value."""
    values = solve(small_contest())

    with pytest.raises(InputError, match="is not between"):
        values.value(*state)
