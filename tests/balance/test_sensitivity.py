"""What one step of each number does to each figure is read exactly."""

from csv import reader
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.formatting import format_change
from oddsmith.balance.reporting.charts import draw_tornado
from oddsmith.balance.sensitivity import Sensitivities, format_csv, sensitivities
from oddsmith.errors import InputError
from oddsmith.figure import Unit
from oddsmith.wire import from_json, to_json
from tests.balance.toys import Chance, Sign, Sum, Toy


@given(st.integers(-3, 3), st.integers(-3, 3), st.integers(1, 4))
def test_a_sum_changes_by_its_slopes(one: int, two: int, steps: int) -> None:
    """So many steps of a number change a sum by so many times its slope, and the strongest comes first."""
    found = sensitivities(Toy(three=500), [Sum(one=one, two=two)], ["one", "two"], steps=steps)
    expected = {key: slope * steps for key, slope in (("one", one), ("two", two)) if slope}
    felt = found.effects(0)

    assert expected == {each.nudge.key: each.up for each in felt}
    assert {key: -change for key, change in expected.items()} == {each.nudge.key: each.down for each in felt}
    assert sorted((each.strength for each in felt), reverse=True) == [each.strength for each in felt]


def test_every_number_is_nudged_unless_told() -> None:
    """Numbers that move nothing are known as such."""
    found = sensitivities(Toy(), [Sum(one=1)])

    assert 11 == len(found.nudges)
    assert 10 == len(found.without_effect)


def test_a_percentage_is_at_least_a_step() -> None:
    """Ten percent of 10 are 1, of 2.50 a quarter, and of 0 a single step."""
    found = sensitivities(Toy(), [Sum(one=1)], ["one", "price", "rows[0][1]"], percent=Decimal(10))

    assert [Decimal(11), Decimal("2.75"), Decimal("0.01")] == [nudge.above for nudge in found.nudges]


def test_what_the_rules_refuse_is_left_open() -> None:
    """One side may be forbidden: the sum of all may not be 13."""
    (felt,) = sensitivities(Toy(one=-6), [Sum(one=1)], ["one"]).effects(0)

    assert (None, Fraction(1), Fraction(1)) == (felt.down, felt.up, felt.strength)


def test_a_name_changes_or_does_not() -> None:
    """A name has no distance, so that a change of it is 1."""
    (felt,) = sensitivities(Toy(one=0), [Sign()], ["one"]).effects(0)

    assert (Fraction(1), Fraction(0)) == (felt.down, felt.up)


def test_a_pattern_twice_is_nudged_once() -> None:
    """Patterns may overlap."""
    assert ["one", "two", "three"] == [
        nudge.key for nudge in sensitivities(Toy(), [Sum(one=1)], ["one", "two", "t*"]).nudges
    ]


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"figures": []}, "no_figures"),
        ({"steps": 0}, "bad_steps"),
        ({"percent": Decimal(0)}, "bad_percent"),
        ({"percent": Decimal(1001)}, "bad_percent"),
        ({"patterns": ["four"]}, "unknown_key"),
    ],
)
def test_bad_questions_are_refused(asked: dict[str, object], code: str) -> None:
    """Nothing is computed for what cannot be meant."""
    with pytest.raises(InputError) as refused:
        sensitivities(Toy(), **{"figures": [Sum(one=1)], **asked})  # type: ignore[arg-type]  # one of them is wrong

    assert code == refused.value.refusal.code


def test_progress_comes_to_its_end() -> None:
    """Each number is a part of the work."""
    heard: list[float] = []
    sensitivities(Toy(), [Sum(one=1)], ["one", "two"], progress=heard.append)

    assert [0.5, 1.0] == heard


def test_a_table_holds_every_effect() -> None:
    """Exactly as a ratio, and as a number; a side that is refused has no row."""
    rows = list(reader(format_csv(sensitivities(Toy(one=-6), [Sum(one=1, over=3)], ["one"])).splitlines()))

    assert [
        ["figure", "key", "today", "side", "number", "change", "exact_change"],
        ["sum(one 1, over 3)", "one", "-6", "above", "-5", "0.3333333333333333", "1/3"],
    ] == rows


def test_sensitivities_are_json_and_back() -> None:
    """Nothing is lost on the way."""
    found = sensitivities(Toy(), [Sum(one=1, over=3), Sign()], ["one"])

    assert found == from_json(to_json(found), Sensitivities)


@pytest.mark.parametrize(
    ("change", "unit", "words"),
    [
        (Fraction(1, 80), Unit.CHANCE, "+1.25 points"),
        (Fraction(-3), Unit.NUMBER, "-3"),
        (Fraction(1), Unit.NAME, "another"),
        (Fraction(0), Unit.CHANCE, "no change"),
    ],
)
def test_a_change_is_told_by_its_unit(change: Fraction, unit: Unit, words: str) -> None:
    """Chances change by points, names to another one."""
    assert words == format_change(change, unit)


def test_a_tornado_has_a_chart_for_each_figure() -> None:
    """The strongest number is on top, with its value of today; a chance is shown in points."""
    figures = [Sum(one=1, two=3), Chance(one=1, over=40), Sum(one=0)]
    charts = draw_tornado(sensitivities(Toy(), figures, ["one", "two"])).axes

    assert [["two = 10", "one = 10"], ["one = 10"], []] == [
        [label.get_text() for label in chart.get_yticklabels()] for chart in charts
    ]
    assert ["change", "percentage points", "change"] == [chart.get_xlabel() for chart in charts]
    assert "chance(one 1, over 40): 25.00 %" == charts[1].get_title()
