"""Target ranges are parsed from files and are met to the written digits."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.formatting import format_number, format_reading
from oddsmith.balance.tuning.targets import TargetRange
from oddsmith.errors import InputError
from oddsmith.figure import Basis, Reading, Unit
from oddsmith.parsing import number_of


def parse_range(**given: Any) -> TargetRange:  # noqa: ANN401  any JSON value
    return TargetRange.pop_from(given)


@pytest.mark.parametrize(
    ("given", "low", "high"),
    [
        ({"is": "35%"}, Fraction(345, 1000), Fraction(355, 1000)),
        ({"is": "35.0 %"}, Fraction(3495, 10_000), Fraction(3505, 10_000)),
        ({"is": Decimal("1.44")}, Fraction(1435, 1000), Fraction(1445, 1000)),
        ({"is": "1.44"}, Fraction(1435, 1000), Fraction(1445, 1000)),
        ({"is": 306}, Fraction(306), Fraction(306)),
        ({"is": "1/3"}, Fraction(1, 3), Fraction(1, 3)),
        ({"is": 10, "within": Decimal("0.5")}, Fraction(19, 2), Fraction(21, 2)),
        ({"between": ["60%", "65%"]}, Fraction(3, 5), Fraction(13, 20)),
        ({"at_least": 5}, Fraction(5), None),
        ({"at_most": "40%"}, None, Fraction(2, 5)),
        ({"at_least": 5, "at_most": 7}, Fraction(5), Fraction(7)),
    ],
)
def test_a_range_is_as_exact_as_it_is_written(
    given: dict[str, Any], low: Fraction | None, high: Fraction | None
) -> None:
    """Half of the last written digit is allowed; a whole number or a ratio is exact."""
    taken = TargetRange.pop_from(dict(given))

    assert (low, high) == (taken.low, taken.high)


def test_a_range_is_removed_from_the_data() -> None:
    """The other keys are left for the figure."""
    given = {"figure": "draw.mean", "cards": 1, "is": Decimal("1.44")}
    taken = TargetRange.pop_from(given)

    assert ("1.44", {"figure": "draw.mean", "cards": 1}) == (taken.text, given)


def test_a_name_is_met_only_by_itself() -> None:
    straight = parse_range(**{"is": "straight"})

    assert straight.is_met(Reading(name="straight"))
    assert not straight.is_met(Reading(name="high_card"))
    assert not parse_range(**{"is": 0}).is_met(Reading(name="high_card"))


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ({}, "no_aim", "say what it should be: is, at_least, at_most, between"),
        ({"is": 1, "at_least": 2}, "bad_aim", "'is' and 'at_least' cannot be combined"),
        ({"between": [1, 2], "within": 3}, "bad_aim", "'between' and 'within' cannot be combined"),
        ({"within": 3}, "bad_aim", "'within' goes with 'is' only"),
        ({"between": [1]}, "bad_aim", "between: expected two numbers"),
        ({"between": ["65%", "60%"]}, "bad_aim", "the bounds are reversed: 65% to 60%"),
        ({"is": 1, "within": -1}, "bad_aim", "the bounds are reversed"),
        ({"is": "1/0"}, "bad_number", "'1/0' divides by nothing"),
        ({"at_least": "many"}, "not_a_number", "must be a number"),
        ({"is": "..%"}, "not_a_number", "must be a number"),
        ({"at_least": True}, "not_a_number", "must be a number"),
    ],
)
def test_an_invalid_range_is_refused(given: dict[str, Any], code: str, words: str) -> None:
    """The sentence says what is wrong, with its path."""
    with pytest.raises(InputError) as caught:
        TargetRange.pop_from(dict(given), "targets[2]")

    assert (code, "targets[2]") == (caught.value.refusal.code, caught.value.refusal.where)
    assert words in caught.value.refusal.sentence


@given(st.fractions(-5, 5), st.fractions(-5, 5), st.fractions(-5, 5), st.fractions(0, 1))
def test_the_distance_is_zero_exactly_where_the_range_is_met(
    one: Fraction, other: Fraction, value: Fraction, error: Fraction
) -> None:
    """A range is met where the interval of the value touches it; otherwise the distance is the gap."""
    low, high = sorted((one, other))
    reading = Reading(value, error)
    wanted = TargetRange(text="", low=low, high=high)
    gap = max(low - reading.high, reading.low - high, Fraction(0))

    assert (gap, gap == 0) == (wanted.distance(reading), wanted.is_met(reading))


def test_an_open_range_has_one_bound() -> None:
    """At least five is met by any number above, at most five by any below."""
    assert parse_range(at_least=5).is_met(Reading(Fraction(10**9)))
    assert Fraction(1) == parse_range(at_most=5).distance(Reading(Fraction(6)))


@given(st.integers(-(10**6), 10**6), st.integers(0, 3))
def test_a_number_has_its_written_margin(hundred: int, places: int) -> None:
    """Its value is exact, and its margin half of its last digit."""
    written = Decimal(hundred).scaleb(-places)
    margin = Fraction(1, 2 * 10**places) if places else Fraction(0)

    assert (Fraction(written), margin) == number_of(written)
    assert (Fraction(written) / 100, Fraction(1, 200 * 10**places)) == number_of(f"{written:f}%")


@pytest.mark.parametrize(
    ("value", "text"),
    [("306.86", "306.86"), ("-8.5", "-8.5"), ("1/3", "0.3333"), ("7", "7"), ("10/3", "3.3333")],
)
def test_a_number_is_shown_with_few_digits(value: str, text: str) -> None:
    """Whole numbers whole, others to four decimals."""
    assert text == format_number(Fraction(value))


def test_an_error_is_shown_with_its_value() -> None:
    """Unless it is far below the shown digits."""
    assert "54.00 % ± 0.25" == format_reading(
        Reading(Fraction(54, 100), Fraction(25, 10_000), Basis.ESTIMATED), Unit.CHANCE
    )
    assert "54.00 %" == format_reading(
        Reading(Fraction(54, 100), Fraction(1, 10**8), Basis.BOUNDED), Unit.CHANCE
    )
    assert "7.5 ± 0.25" == format_reading(
        Reading(Fraction(15, 2), Fraction(1, 4), Basis.ESTIMATED), Unit.NUMBER
    )
