"""Where one number moves figures monotonically, the best value is found exactly."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.balance.tuning.search import solve_line
from oddsmith.balance.tuning.trials import Trials
from tests.balance.toys import Sign, Square, Sum, Toy, make_targets

slopes = st.integers(-3, 3)
aims = st.one_of(
    st.integers(-80, 80).map(lambda number: {"is": number}),
    st.integers(-80, 80).map(lambda number: {"at_least": number}),
    st.integers(-80, 80).map(lambda number: {"at_most": number}),
    st.tuples(st.integers(-80, 80), st.integers(0, 9)).map(lambda pair: {"between": [pair[0], sum(pair)]}),
)


@settings(max_examples=30)
@given(st.lists(st.tuples(slopes, st.integers(1, 9), aims), min_size=1, max_size=2), st.integers(-20, 20))
def test_no_other_value_is_better(sums: list[tuple[int, int, dict[str, object]]], today: int) -> None:
    """None meets more targets; with one target none is nearer to it, and of those none nearer to the present value."""
    figures = {
        Sum(one=slope, step=step, two=place): wanted_range
        for place, (slope, step, wanted_range) in enumerate(sums)
    }
    trials = Trials(make_targets(figures, {"one": (-20, 20)}, rules=Toy(one=today, two=0, three=500)))
    every = range(len(figures))
    found = solve_line(trials, trials.start, 0, every)
    assert found is not None

    def rank(place: tuple[int, ...]) -> tuple[object, ...]:
        objective = trials.objective(place, every, ())
        return (*objective[1:], abs(place[0] - trials.start[0])) if len(figures) == 1 else objective[1:2]

    assert min(map(rank, ((place,) for place in range(41)))) == rank(found.point)
    assert trials.objective(found.point, every, ()).is_met is found.met


def test_a_gap_between_two_steps_is_reported() -> None:
    """No value gives 14 where sums go from 10 to 20; a bound in the way is not reported as a gap."""
    between = Trials(make_targets({Sum(one=1, step=10): {"is": 14}}, {"one": (0, 40)}))
    beyond = Trials(make_targets({Sum(one=1): {"is": 50}}, {"one": (0, 40)}))
    stepped, bound = (solve_line(trials, trials.start, 0, [0]) for trials in (between, beyond))
    assert stepped is not None
    assert bound is not None

    assert ({0: ((19,), (20,))}, {}) == (stepped.stepped_over, bound.stepped_over)


@pytest.mark.parametrize("figure", [Square(), Sign()])
def test_a_figure_that_is_not_monotonic_has_no_inverse(figure: Square | Sign) -> None:
    """A square falls and rises, and a name does neither: they are left to a search."""
    wanted_range = {"is": "minus"} if isinstance(figure, Sign) else {"is": 9}
    trials = Trials(make_targets({figure: wanted_range}, {"one": (-20, 20)}))

    assert solve_line(trials, trials.start, 0, [0]) is None


def test_refused_values_have_no_inverse() -> None:
    """Bisection would not know the direction."""
    trials = Trials(make_targets({Sum(one=1): {"is": 4}}, {"one": (-7, 20)}))

    assert solve_line(trials, trials.start, 0, [0]) is None


def test_a_refusal_that_is_found_late_has_no_inverse() -> None:
    """A refused value that no probe has met ends the bisection, too."""
    trials = Trials(make_targets({Sum(one=1): {"is": -7}}, {"one": (-20, 25)}))

    assert solve_line(trials, trials.start, 0, [0]) is None


def test_between_contradicting_targets_the_nearest_value_is_chosen() -> None:
    """10 and 30 of two figures that rise alike: as many as possible are met, and the other misses by the least."""
    trials = Trials(
        make_targets(
            {Sum(one=1): {"at_most": 10}, Sum(one=1, two=0, over=1, step=2): {"at_least": 30}},
            {"one": (0, 40)},
        )
    )
    found = solve_line(trials, trials.start, 0, [0, 1])

    assert found is not None
    assert Fraction(1) == trials.objective(found.point, [0, 1], ()).unmet_weight
