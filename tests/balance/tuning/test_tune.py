"""Rules are tuned until targets are met; what cannot be met is told with its reason, and the same is done every time."""

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
from tests.balance.toys import Chance, Product, Sign, Square, Sum, Toy, wanted

ABLE = {"skills": {"lockpicking": 50, "stealth": 40}}


def changes(tuned: TuneResult) -> dict[str, Decimal]:
    """Return what was changed, and to what."""
    return {change.key: change.after for change in tuned.adjustments}


def test_a_threshold_is_found_exactly() -> None:
    """Bank robbery succeeds 35 % for lockpicking 50 and stealth 40 at one threshold, and at no other that is nearer."""
    target = {"figure": "check.success", "target": "bank_robbery", "character": ABLE, "is": "35%"}
    change = {"key": "crimes.bank_robbery.threshold", "least": 50, "most": 500, "step": 1}
    tuned = tune(parse_targets({"targets": [target], "change": [change]}, Rules()))
    (verdict,) = tuned.verdicts

    assert tuned.reached
    assert {"crimes.bank_robbery.threshold": Decimal(172)} == changes(tuned)
    assert read_figures(
        [parse_targets({"targets": [target], "change": [change]}, Rules()).figures[0]], tuned.rules
    ) == [verdict.after]
    assert Fraction(1, 200) >= abs(verdict.after.value - Fraction(35, 100))


def test_a_number_that_is_right_already_stays() -> None:
    """Nothing changes where all is met."""
    tuned = tune(wanted({Sum(one=1): {"at_most": 12}}, {"one": (-20, 20), "two": (-20, 20)}))

    assert ({}, True, None) == (changes(tuned), tuned.reached, tuned.sensitivities)


def test_today_out_of_bounds_comes_within() -> None:
    """A number that its bounds exclude goes to the nearest one that they allow."""
    assert {"one": Decimal(20)} == changes(tune(wanted({Sum(one=1): {"at_most": 60}}, {"one": (20, 30)})))


def test_targets_of_different_numbers_do_not_disturb_each_other() -> None:
    """Each number is settled for what it moves."""
    figures = {Sum(one=2): {"is": 30}, Sum(two=3): {"is": 60}}

    assert {"one": Decimal(15), "two": Decimal(20)} == changes(
        tune(wanted(figures, {"one": (0, 40), "two": (0, 40)}))
    )


def test_numbers_are_settled_in_the_order_in_which_they_decide() -> None:
    """The first figure is moved by one number only, the second by two: the second number does what is left."""
    figures = {Sum(one=1, two=1): {"is": 50}, Sum(one=1): {"is": 20}}
    tuned = tune(wanted(figures, {"one": (0, 60), "two": (0, 60)}))

    assert {"one": Decimal(20), "two": Decimal(30)} == changes(tuned)


def test_one_number_is_changed_where_one_is_enough() -> None:
    """The first of several numbers that could do it alone does it; the others stay as they are today."""
    assert {"one": Decimal(40)} == changes(
        tune(wanted({Sum(one=1, two=1): {"is": 50}}, {"one": (0, 60), "two": (0, 60)}))
    )


def test_entangled_numbers_are_searched_for() -> None:
    """A sum and a product of two numbers are met together, by 12 and 25."""
    figures = {Sum(one=1, two=1): {"is": 37}, Product(): {"is": 300}}
    tuned = tune(wanted(figures, {"one": (0, 40), "two": (0, 40)}))

    assert tuned.reached
    assert {12, 25} == {int(number) for number in changes(tuned).values()}


def test_what_goes_to_and_fro_is_searched_for() -> None:
    """Of 9 and its two roots, the one that is nearer to today is found."""
    assert {"one": Decimal(3)} == changes(tune(wanted({Square(): {"is": 9}}, {"one": (-20, 20)})))


def test_a_name_is_searched_for() -> None:
    """A name has no distance, but a place where it is right, and the nearest one at that."""
    assert {"one": Decimal(-1)} == changes(
        tune(wanted({Sign(): {"is": "minus"}}, {"one": (-20, 20)}, rules=Toy(three=500)))
    )


slopes = st.sampled_from([-2, -1, 1, 2])


@settings(max_examples=5)
@given(
    st.lists(st.tuples(slopes, slopes, st.integers(-20, 20)), min_size=2, max_size=3),
    st.integers(0, 5),
)
def test_no_place_meets_more(asked: list[tuple[int, int, int]], width: int) -> None:
    """As many targets are met as at the best of all places."""
    figures = {
        Sum(one=one, two=two, three=place): {"between": [1000 * place + low, 1000 * place + low + width]}
        for place, (one, two, low) in enumerate(asked)
    }
    targets = wanted(figures, {"one": (-5, 5), "two": (-5, 5)}, rules=Toy(one=1, two=1, three=1000))
    trials, every = Trials(targets), range(len(figures))
    least = min(trials.objective(place, every, ()).unmet_weight for place in product(range(11), repeat=2))

    assert least == sum(not verdict.reached for verdict in tune(targets, effort=200).verdicts)


def test_the_same_seed_gives_the_same_rules() -> None:
    """A search is repeated to the digit."""
    figures = {Sum(one=1, two=1): {"is": 31}, Product(): {"is": 230}}
    targets = wanted(figures, {"one": (0, 40), "two": (0, 40)})

    assert tune(targets, seed=7) == tune(targets, seed=7)


def test_a_bound_in_the_way_is_named() -> None:
    """What cannot be reached is told with the best that can be, and the bound that forbids more."""
    (verdict,) = tune(wanted({Sum(one=2): {"at_least": 100}}, {"one": (0, 40)})).verdicts

    assert (False, Fraction(80), Fraction(80), "one is at its most, 40") == (
        verdict.reached,
        verdict.after.value,
        verdict.best and verdict.best.value,
        verdict.reason,
    )


def test_a_bound_that_is_not_in_the_way_is_not_named() -> None:
    """No product of these is 24.5; that the second number may not be less than today is no reason for it."""
    (verdict,) = tune(wanted({Product(): {"is": "24.5"}}, {"one": (0, 40), "two": (10, 40)})).verdicts

    assert "least" not in verdict.reason


def test_the_least_is_named_too() -> None:
    """A lower bound is told as such."""
    (verdict,) = tune(wanted({Sum(one=1): {"at_most": -5}}, {"one": (0, 40)})).verdicts

    assert "one is at its least, 0" == verdict.reason


def test_a_bound_that_gives_no_more_is_named() -> None:
    """The number stays where it first gives the most, and the bound beyond is told."""
    (verdict,) = tune(wanted({Sum(one=1, step=10): {"at_least": 50}}, {"one": (0, 45)})).verdicts

    assert "one changes nothing more on its way to its most, 45" == verdict.reason


@pytest.mark.parametrize(("number", "nearest"), [(14, 10), (16, 20)])
def test_a_step_over_the_target_is_named(number: int, nearest: int) -> None:
    """Where sums go from 10 to 20, neither 14 nor 16 is to be had: the nearest is taken, and both sides are told."""
    (verdict,) = tune(wanted({Sum(one=1, step=10): {"is": number}}, {"one": (10, 20)})).verdicts

    assert Fraction(nearest) == verdict.after.value
    assert "one steps over it: 10 at 19 and 20 at 20" == verdict.reason


def test_targets_in_each_others_way_are_named() -> None:
    """Two figures of one number: one is met, and the other says which one it would cost."""
    figures = {Sum(one=1): {"at_most": 12}, Sum(one=3): {"at_least": 60}}
    met, missed = sorted(
        tune(wanted(figures, {"one": (0, 40)})).verdicts, key=lambda verdict: not verdict.reached
    )

    assert (True, False) == (met.reached, missed.reached)
    assert f"where it is met, {met.name} is not" == missed.reason


def test_several_in_the_way_are_counted() -> None:
    """Three are named, and the rest counted."""
    figures = {Sum(one=1, three=place): {"at_most": 10 * place + 12} for place in range(5)}
    targets = wanted({**figures, Sum(one=3): {"at_least": 60}}, {"one": (0, 40)})
    missed = tune(targets).verdicts[-1]

    assert "where it is met, sum 0, sum 1, sum 2 and 2 more are not" == missed.reason


def test_what_nothing_moves_is_refused() -> None:
    """A target that is not met, and that no number moves, is refused before a search."""
    with pytest.raises(InputError) as refused:
        tune(wanted({Chance(two=1, over=40): {"is": "50%"}}, {"one": (0, 40)}))

    assert (
        "nothing_moves_it",
        "targets[0]: no number that may change affects chance 0: it is 25.00 %, and 50% is wanted",
    ) == (refused.value.refusal.code, refused.value.refusal.sentence)


def test_what_nothing_moves_may_be_met_already() -> None:
    """A guard that holds is no mistake."""
    figures = {Sum(two=1): {"is": 10}, Sum(one=1): {"is": 12}}

    assert tune(wanted(figures, {"one": (0, 40)})).reached


def test_a_number_that_moves_nothing_today_may_move_it_elsewhere() -> None:
    """With the first number at 0 a product stands still; it is found all the same that the second one moves it."""
    targets = wanted({Product(): {"is": 200}}, {"one": (0, 10), "two": (0, 20)}, rules=Toy(one=0))

    assert {"one": Decimal(10), "two": Decimal(20)} == changes(tune(targets))


def test_bounds_that_the_rules_refuse_are_refused() -> None:
    """A number that the rules never allow is no place to look at."""
    with pytest.raises(InputError) as refused:
        tune(wanted({Sum(one=1): {"is": 4}}, {"one": (0, 2000)}))

    assert ("bad_bounds", "one") == (refused.value.refusal.code, refused.value.refusal.where)
    assert refused.value.refusal.sentence.startswith("one cannot be 2000: ")


def test_places_that_the_rules_refuse_are_passed_by() -> None:
    """The sum of all may not be 13, so that the place in between is left out of the search."""
    tuned = tune(
        wanted(
            {Sum(one=1): {"between": [-8, -6]}, Sum(two=1): {"is": 10}}, {"one": (-20, 20), "two": (0, 20)}
        )
    )

    assert tuned.reached


def test_a_figure_that_cannot_be_read_is_refused_with_its_place() -> None:
    """A name that is not there is told with the target that has it."""
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
    """Where one number passes others, those are lifted or lowered with it, if their own targets let them."""
    figures = {Sum(one=1): one, Sum(two=1): two}
    targets = wanted(
        figures,
        {"one": (0, 60), "two": (0, 60), "three": (0, 60)},
        rules=Toy(one=10, two=11, three=12),
        order_group=1,
    )
    numbers = tune(targets).rules

    assert [expected.get(name, today) for name, today in (("one", 10), ("two", 11), ("three", 12))] == [
        getattr(numbers, name) for name in ("one", "two", "three")
    ]


def test_an_order_may_forbid_a_target() -> None:
    """Two targets that would turn the order around are not both met."""
    figures = {Sum(one=1): {"is": 30}, Sum(two=1): {"is": 20}}
    tuned = tune(
        wanted(figures, {"one": (0, 60), "two": (0, 60)}, rules=Toy(one=10, two=11), order_group=1),
        effort=200,
    )
    toy = tuned.rules

    assert isinstance(toy, Toy)
    assert toy.one <= toy.two
    assert ["the numbers would be out of order"] == [
        verdict.reason for verdict in tuned.verdicts if not verdict.reached
    ]


def test_ctrl_c_keeps_the_best_so_far() -> None:
    """A search that is interrupted returns what it has found, and says so."""
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
    tuned = tune(wanted(figures, {"three": (0, 40), "one": (0, 40), "two": (0, 40)}), progress=interrupt)

    assert (True, True) == (tuned.interrupted, tuned.verdicts[0].reached)
    assert sorted(on_trial) == on_trial


def test_a_search_ends_after_its_trials() -> None:
    """What cannot be found is not searched for without end."""
    figures = {Sum(one=1, two=1): {"is": 37}, Product(): {"is": 299}}
    tuned = tune(wanted(figures, {"one": (0, 40), "two": (0, 40)}), effort=100)

    assert not tuned.reached
    assert 300 > tuned.trials


def test_without_scipy_only_the_search_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What to install is said where a search is needed; one number needs none."""
    monkeypatch.setitem(__import__("sys").modules, "scipy.optimize", None)

    assert tune(wanted({Sum(one=1): {"is": 30}}, {"one": (0, 40)})).reached
    with pytest.raises(InputError, match="install oddsmith\\[balance\\]"):
        tune(wanted({Square(): {"is": 9}}, {"one": (-20, 20)}))


def test_a_refused_place_is_tried_once() -> None:
    """What the rules refuse is remembered, and not asked again."""
    trials = Trials(wanted({Sum(one=1): {"is": 4}}, {"one": (-20, 20)}))
    refused = (13,)

    assert (None, None, 1) == (trials.read(refused, [0]), trials.read(refused, [0]), trials.count)


def test_the_result_says_how_sensitive_it_is() -> None:
    """One step of each changed number, and what it does to each target."""
    tuned = tune(wanted({Sum(one=2): {"is": 30}}, {"one": (0, 40)}))
    assert tuned.sensitivities is not None
    (felt,) = tuned.sensitivities.effects(0)

    assert ("one", Fraction(-2), Fraction(2)) == (felt.nudge.key, felt.down, felt.up)


def test_the_reply_is_json_and_back() -> None:
    """Nothing is lost on the way."""
    tuned = tune(wanted({Sum(one=2, over=3): {"is": 12}}, {"one": (0, 40)}))
    reply = TuneReply.of(tuned, source="toy", written=None)

    assert reply == from_json(to_json(reply), TuneReply)
