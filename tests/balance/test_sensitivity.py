"""The exact effect of one step of each number on each figure."""

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
    """A change of `n` steps changes a sum by `n` times its slope, and the strongest comes first."""
    found = sensitivities(Toy(three=500), [Sum(one=one, two=two)], ["one", "two"], steps=steps)
    expected = {key: slope * steps for key, slope in (("one", one), ("two", two)) if slope}
    effects = found.effects(0)

    assert expected == {each.nudge.key: each.up for each in effects}
    assert {key: -change for key, change in expected.items()} == {
        each.nudge.key: each.down for each in effects
    }
    assert sorted((each.strength for each in effects), reverse=True) == [each.strength for each in effects]


def test_every_number_is_changed_by_default() -> None:
    """Numbers without effect are listed as such."""
    found = sensitivities(Toy(), [Sum(one=1)])

    assert 11 == len(found.nudges)
    assert 10 == len(found.without_effect)


def test_a_percentage_is_at_least_a_step() -> None:
    """Ten percent of 10 are 1, of 2.50 a quarter, and of 0 a single step."""
    found = sensitivities(Toy(), [Sum(one=1)], ["one", "price", "rows[0][1]"], percent=Decimal(10))

    assert [Decimal(11), Decimal("2.75"), Decimal("0.01")] == [nudge.above for nudge in found.nudges]


def test_refused_changes_are_left_out() -> None:
    """One direction may be forbidden: the sum of all may not be 13."""
    (effect,) = sensitivities(Toy(one=-6), [Sum(one=1)], ["one"]).effects(0)

    assert (None, Fraction(1), Fraction(1)) == (effect.down, effect.up, effect.strength)


def test_a_change_of_a_name_is_1() -> None:
    """Names have no distance."""
    (effect,) = sensitivities(Toy(one=0), [Sign()], ["one"]).effects(0)

    assert (Fraction(1), Fraction(0)) == (effect.down, effect.up)


def test_overlapping_patterns_change_a_number_once() -> None:
    assert ["one", "two", "three"] == [
        nudge.key for nudge in sensitivities(Toy(), [Sum(one=1)], ["one", "two", "t*"]).nudges
    ]


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"figures": []}, "no_figures"),
        ({"steps": 0}, "bad_steps"),
        ({"percent": Decimal(0)}, "bad_percent"),
        ({"percent": Decimal(1001)}, "bad_percent"),
        ({"patterns": ["four"]}, "unknown_key"),
    ],
)
def test_invalid_requests_are_refused(fields: dict[str, object], code: str) -> None:
    """Before anything is computed."""
    with pytest.raises(InputError) as refused:
        sensitivities(Toy(), **{"figures": [Sum(one=1)], **fields})  # type: ignore[arg-type]  # one of them is invalid

    assert code == refused.value.refusal.code


def test_progress_ends_at_1() -> None:
    """Each number is a part of the work."""
    reported: list[float] = []
    sensitivities(Toy(), [Sum(one=1)], ["one", "two"], progress=reported.append)

    assert [0.5, 1.0] == reported


def test_a_table_has_every_effect() -> None:
    """As a ratio and as a number; a refused direction has no row."""
    rows = list(reader(format_csv(sensitivities(Toy(one=-6), [Sum(one=1, over=3)], ["one"])).splitlines()))

    assert [
        ["figure", "key", "today", "side", "number", "change", "exact_change"],
        ["sum(one 1, over 3)", "one", "-6", "above", "-5", "0.3333333333333333", "1/3"],
    ] == rows


def test_sensitivities_are_read_back_from_json() -> None:
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
def test_a_change_is_written_in_its_unit(change: Fraction, unit: Unit, words: str) -> None:
    """Chances change by points, names to another one."""
    assert words == format_change(change, unit)


def test_a_tornado_has_a_chart_for_each_figure() -> None:
    """The strongest number is on top, with its present value; a chance is shown in points."""
    figures = [Sum(one=1, two=3), Chance(one=1, over=40), Sum(one=0)]
    charts = draw_tornado(sensitivities(Toy(), figures, ["one", "two"])).axes

    assert [["two = 10", "one = 10"], ["one = 10"], []] == [
        [label.get_text() for label in chart.get_yticklabels()] for chart in charts
    ]
    assert ["change", "percentage points", "change"] == [chart.get_xlabel() for chart in charts]
    assert "chance(one 1, over 40): 25.00 %" == charts[1].get_title()
