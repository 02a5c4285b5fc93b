"""Rules are tuned until targets are met; targets that cannot be met have a reason; runs are deterministic."""

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.balance.figures import read_figures
from oddsmith.balance.tuning.targets import parse_targets
from oddsmith.balance.tuning.trials import Trials
from oddsmith.balance.tuning.tune import TuneReply, TuneResult, tune
from oddsmith.errors import InputError
from oddsmith.games.destiny import Rules
from oddsmith.wire import from_json, to_json
from tests.balance.toys import Chance, Product, Sign, Square, Sum, Toy, make_targets

ABLE = {"skills": {"lockpicking": 50, "stealth": 40}}


def new_values(tuned: TuneResult) -> dict[str, Decimal]:
    """Return the changed keys with their new values."""
    return {change.key: change.after for change in tuned.adjustments}


def test_a_threshold_is_found_exactly() -> None:
    """Bank robbery succeeds 35 % for lockpicking 50 and stealth 40; no other threshold is nearer."""
    target = {"figure": "check.success", "target": "bank_robbery", "character": ABLE, "is": "35%"}
    change = {"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500, "step": 1}
    tuned = tune(parse_targets({"targets": [target], "change": [change]}, Rules()))
    (verdict,) = tuned.verdicts

    assert tuned.reached
    assert {"crimes.bank_robbery.threshold": Decimal(172)} == new_values(tuned)
    assert read_figures(
        [parse_targets({"targets": [target], "change": [change]}, Rules()).figures[0]], tuned.rules
    ) == [verdict.after]
    assert Fraction(1, 200) >= abs(verdict.after.value - Fraction(35, 100))


def test_rules_that_meet_all_targets_do_not_change() -> None:
    tuned = tune(make_targets({Sum(one=1): {"at_most": 12}}, {"one": (-20, 20), "two": (-20, 20)}))

    assert ({}, True, None) == (new_values(tuned), tuned.reached, tuned.sensitivities)


def test_a_value_out_of_bounds_is_moved_within() -> None:
    """To the nearest one that the bounds allow."""
    assert {"one": Decimal(20)} == new_values(
        tune(make_targets({Sum(one=1): {"at_most": 60}}, {"one": (20, 30)}))
    )


def test_targets_of_different_numbers_are_independent() -> None:
    """Each number is set for the figures that it moves."""
    figures = {Sum(one=2): {"is": 30}, Sum(two=3): {"is": 60}}

    assert {"one": Decimal(15), "two": Decimal(20)} == new_values(
        tune(make_targets(figures, {"one": (0, 40), "two": (0, 40)}))
    )


def test_numbers_are_set_in_the_order_of_their_dependencies() -> None:
    """The first figure is moved by one number only, the second by two: the second number does the rest."""
    figures = {Sum(one=1, two=1): {"is": 50}, Sum(one=1): {"is": 20}}
    tuned = tune(make_targets(figures, {"one": (0, 60), "two": (0, 60)}))

    assert {"one": Decimal(20), "two": Decimal(30)} == new_values(tuned)


def test_one_number_is_changed_where_one_is_enough() -> None:
    """The first number that is enough alone changes; the others stay."""
    assert {"one": Decimal(40)} == new_values(
        tune(make_targets({Sum(one=1, two=1): {"is": 50}}, {"one": (0, 60), "two": (0, 60)}))
    )


def test_dependent_numbers_are_searched() -> None:
    """A sum and a product of two numbers are met together, by 12 and 25."""
    figures = {Sum(one=1, two=1): {"is": 37}, Product(): {"is": 300}}
    tuned = tune(make_targets(figures, {"one": (0, 40), "two": (0, 40)}))

    assert tuned.reached
    assert {12, 25} == {int(number) for number in new_values(tuned).values()}


def test_a_figure_that_is_not_monotonic_is_searched() -> None:
    """Of the two roots of 9, the one nearer to the present value is found."""
    assert {"one": Decimal(3)} == new_values(tune(make_targets({Square(): {"is": 9}}, {"one": (-20, 20)})))


def test_a_name_is_searched() -> None:
    """Names have no distance; the nearest value with the right name is found."""
    assert {"one": Decimal(-1)} == new_values(
        tune(make_targets({Sign(): {"is": "minus"}}, {"one": (-20, 20)}, rules=Toy(three=500)))
    )


slopes = st.sampled_from([-2, -1, 1, 2])


@settings(max_examples=5)
@given(
    st.lists(st.tuples(slopes, slopes, st.integers(-20, 20)), min_size=2, max_size=3),
    st.integers(0, 5),
)
def test_no_other_values_meet_more(sums: list[tuple[int, int, int]], width: int) -> None:
    """As many targets are met as by the best of all values."""
    figures = {
        Sum(one=one, two=two, three=place): {"between": [1000 * place + low, 1000 * place + low + width]}
        for place, (one, two, low) in enumerate(sums)
    }
    targets = make_targets(figures, {"one": (-5, 5), "two": (-5, 5)}, rules=Toy(one=1, two=1, three=1000))
    trials, every = Trials(targets), range(len(figures))
    least = min(trials.objective(place, every, ()).unmet_weight for place in product(range(11), repeat=2))

    assert least == sum(not verdict.reached for verdict in tune(targets, effort=200).verdicts)


def test_the_same_seed_gives_the_same_rules() -> None:
    """To the digit."""
    figures = {Sum(one=1, two=1): {"is": 31}, Product(): {"is": 230}}
    targets = make_targets(figures, {"one": (0, 40), "two": (0, 40)})

    assert tune(targets, seed=7) == tune(targets, seed=7)


def test_a_bound_in_the_way_is_named() -> None:
    """A target that cannot be met has its best value and the bound in the way."""
    (verdict,) = tune(make_targets({Sum(one=2): {"at_least": 100}}, {"one": (0, 40)})).verdicts

    assert (False, Fraction(80), Fraction(80), "one is at its most, 40") == (
        verdict.reached,
        verdict.after.value,
        verdict.best and verdict.best.value,
        verdict.reason,
    )


def test_a_bound_that_is_not_in_the_way_is_not_named() -> None:
    """No product of these is 24.5; the lower bound of the second number is not the reason."""
    (verdict,) = tune(make_targets({Product(): {"is": "24.5"}}, {"one": (0, 40), "two": (10, 40)})).verdicts

    assert "least" not in verdict.reason


def test_a_lower_bound_is_named() -> None:
    (verdict,) = tune(make_targets({Sum(one=1): {"at_most": -5}}, {"one": (0, 40)})).verdicts

    assert "one is at its least, 0" == verdict.reason


def test_a_bound_without_further_gain_is_named() -> None:
    """The number stays where it first gives the most, and the bound beyond is named."""
    (verdict,) = tune(make_targets({Sum(one=1, step=10): {"at_least": 50}}, {"one": (0, 45)})).verdicts

    assert "one changes nothing more on its way to its most, 45" == verdict.reason


@pytest.mark.parametrize(("number", "nearest"), [(14, 10), (16, 20)])
def test_a_gap_around_the_target_is_named(number: int, nearest: int) -> None:
    """Where sums go from 10 to 20, neither 14 nor 16 is possible: the nearest is chosen, and both sides are named."""
    (verdict,) = tune(make_targets({Sum(one=1, step=10): {"is": number}}, {"one": (10, 20)})).verdicts

    assert Fraction(nearest) == verdict.after.value
    assert "one steps over it: 10 at 19 and 20 at 20" == verdict.reason


def test_conflicting_targets_are_named() -> None:
    """Two figures of one number: one is met, and the other names it."""
    figures = {Sum(one=1): {"at_most": 12}, Sum(one=3): {"at_least": 60}}
    met, missed = sorted(
        tune(make_targets(figures, {"one": (0, 40)})).verdicts, key=lambda verdict: not verdict.reached
    )

    assert (True, False) == (met.reached, missed.reached)
    assert f"where it is met, {met.name} is not" == missed.reason


def test_many_conflicting_targets_are_counted() -> None:
    """Three are named, and the rest counted."""
    figures = {Sum(one=1, three=place): {"at_most": 10 * place + 12} for place in range(5)}
    targets = make_targets({**figures, Sum(one=3): {"at_least": 60}}, {"one": (0, 40)})
    missed = tune(targets).verdicts[-1]

    assert "where it is met, sum 0, sum 1, sum 2 and 2 more are not" == missed.reason


def test_a_target_that_no_number_moves_is_refused() -> None:
    """Unless it is met, before a search."""
    with pytest.raises(InputError) as refused:
        tune(make_targets({Chance(two=1, over=40): {"is": "50%"}}, {"one": (0, 40)}))

    assert (
        "nothing_moves_it",
        "targets[0]: no number that may change affects chance 0: it is 25.00 %, and 50% is wanted",
    ) == (refused.value.refusal.code, refused.value.refusal.sentence)


def test_a_target_that_no_number_moves_may_be_met() -> None:
    figures = {Sum(two=1): {"is": 10}, Sum(one=1): {"is": 12}}

    assert tune(make_targets(figures, {"one": (0, 40)})).reached


def test_a_number_without_effect_now_may_have_one_elsewhere() -> None:
    """With the first number at 0 a product is constant; the search still finds that the second one moves it."""
    targets = make_targets({Product(): {"is": 200}}, {"one": (0, 10), "two": (0, 20)}, rules=Toy(one=0))

    assert {"one": Decimal(10), "two": Decimal(20)} == new_values(tune(targets))


def test_bounds_that_the_rules_refuse_are_refused() -> None:
    """No value within them is allowed."""
    with pytest.raises(InputError) as refused:
        tune(make_targets({Sum(one=1): {"is": 4}}, {"one": (0, 2000)}))

    assert ("bad_bounds", "one") == (refused.value.refusal.code, refused.value.refusal.where)
    assert refused.value.refusal.sentence.startswith("one cannot be 2000: ")


def test_values_that_the_rules_refuse_are_skipped() -> None:
    """The sum of all may not be 13, so the value in between is left out of the search."""
    tuned = tune(
        make_targets(
            {Sum(one=1): {"between": [-8, -6]}, Sum(two=1): {"is": 10}}, {"one": (-20, 20), "two": (0, 20)}
        )
    )

    assert tuned.reached


def test_a_figure_that_cannot_be_read_is_refused_with_its_path() -> None:
    """An unknown name is reported with its target."""
    target = {"figure": "check.success", "target": "tax_fraud", "character": ABLE, "is": "35%"}
    change = {"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500}
    with pytest.raises(InputError) as refused:
        tune(parse_targets({"targets": [target], "change": [change]}, Rules()))

    assert "targets[0]" == refused.value.refusal.where
    assert refused.value.refusal.sentence.startswith("targets[0]: unknown crime or skill check 'tax_fraud'")


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ({"is": 30}, {"at_most": 60}, {"one": 30, "two": 30, "three": 30}),
        ({"at_least": 0}, {"is": 5}, {"one": 5, "two": 5}),
    ],
)
def test_numbers_keep_their_order(
    one: dict[str, object], two: dict[str, object], expected: dict[str, int]
) -> None:
    """Where one number passes others, those move with it, if their own targets allow it."""
    figures = {Sum(one=1): one, Sum(two=1): two}
    targets = make_targets(
        figures,
        {"one": (0, 60), "two": (0, 60), "three": (0, 60)},
        rules=Toy(one=10, two=11, three=12),
        order_group=1,
    )
    numbers = tune(targets).rules

    assert [expected.get(name, today) for name, today in (("one", 10), ("two", 11), ("three", 12))] == [
        getattr(numbers, name) for name in ("one", "two", "three")
    ]


def test_an_order_may_prevent_a_target() -> None:
    """Two targets that would reverse the order are not both met."""
    figures = {Sum(one=1): {"is": 30}, Sum(two=1): {"is": 20}}
    tuned = tune(
        make_targets(figures, {"one": (0, 60), "two": (0, 60)}, rules=Toy(one=10, two=11), order_group=1),
        effort=200,
    )
    toy = tuned.rules

    assert isinstance(toy, Toy)
    assert toy.one <= toy.two
    assert ["the numbers would be out of order"] == [
        verdict.reason for verdict in tuned.verdicts if not verdict.reached
    ]


def test_ctrl_c_keeps_the_best_so_far() -> None:
    """An interrupted search returns its best result and says so."""
    on_trial: list[float] = []

    def interrupt(done: float) -> None:
        on_trial.append(done)
        if len(on_trial) == 40:
            raise KeyboardInterrupt

    figures = {
        Sum(three=1): {"is": 17},
        Sum(one=1, two=1): {"is": 37},
        Product(): {"is": 299},
    }
    tuned = tune(
        make_targets(figures, {"three": (0, 40), "one": (0, 40), "two": (0, 40)}), progress=interrupt
    )

    assert (True, True) == (tuned.interrupted, tuned.verdicts[0].reached)
    assert sorted(on_trial) == on_trial


def test_a_search_has_a_limit_of_trials() -> None:
    figures = {Sum(one=1, two=1): {"is": 37}, Product(): {"is": 299}}
    tuned = tune(make_targets(figures, {"one": (0, 40), "two": (0, 40)}), effort=100)

    assert not tuned.reached
    assert 300 > tuned.trials


def test_without_scipy_only_the_search_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search is refused with what to install; one number needs no search."""
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)

    assert tune(make_targets({Sum(one=1): {"is": 30}}, {"one": (0, 40)})).reached
    with pytest.raises(InputError, match="install oddsmith\\[balance\\]"):
        tune(make_targets({Square(): {"is": 9}}, {"one": (-20, 20)}))


def test_a_refused_place_is_tried_once() -> None:
    """Refused values are cached."""
    trials = Trials(make_targets({Sum(one=1): {"is": 4}}, {"one": (-20, 20)}))
    refused = (13,)

    assert (None, None, 1) == (trials.read(refused, [0]), trials.read(refused, [0]), trials.count)


def test_the_result_has_its_sensitivity() -> None:
    """The effect of one step of each changed number on each target."""
    tuned = tune(make_targets({Sum(one=2): {"is": 30}}, {"one": (0, 40)}))
    assert tuned.sensitivities is not None
    (effect,) = tuned.sensitivities.effects(0)

    assert ("one", Fraction(-2), Fraction(2)) == (effect.nudge.key, effect.down, effect.up)


def test_the_reply_is_read_back_from_json() -> None:
    tuned = tune(make_targets({Sum(one=2, over=3): {"is": 12}}, {"one": (0, 40)}))
    reply = TuneReply.of(tuned, source="toy", written=None)

    assert reply == from_json(to_json(reply), TuneReply)
