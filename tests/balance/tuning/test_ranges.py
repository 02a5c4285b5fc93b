"""A range has the multiples of a step between two bounds, and the present value."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.balance.rule_keys import Key
from oddsmith.balance.tuning.targets import NumberRange, parse_ranges
from oddsmith.errors import InputError
from tests.balance.toys import Toy

hundredths = st.integers(-300, 300).map(lambda number: Decimal(number) / 100)
steps = st.sampled_from([Decimal("0.01"), Decimal("0.05"), Decimal(1), Decimal("2.5"), Decimal(7)])


@settings(max_examples=50)
@given(hundredths, hundredths, hundredths, steps)
def test_values_are_multiples_and_the_present_one(
    today: Decimal, one: Decimal, other: Decimal, step: Decimal
) -> None:
    """Every multiple within the bounds, and the present value where it is within, in rising order."""
    least, most = sorted((one, other))
    found = NumberRange.between(Key("x", today, Decimal("0.01")), least, most, step)
    numbers = [found.number(place) for place in range(found.size)]
    multiples = {step * count for count in range(-10_001, 10_001)} if step >= 1 else None

    assert all(below < above for below, above in pairwise(numbers))
    assert all(least <= number <= most for number in numbers)
    assert all(number % step == 0 or number == today for number in numbers)
    assert (today in numbers) is (least <= today <= most)
    if multiples is not None:
        assert {number for number in multiples if least <= number <= most} <= set(numbers)
    if numbers:
        assert (
            min(abs(number - today) for number in numbers) == abs(found.number(found.start) - today)
            or found.off_grid
        )


@given(hundredths, steps)
def test_a_number_has_neighbouring_values(number: Decimal, step: Decimal) -> None:
    """The first value from a number and the last value up to it enclose it, unless it is out of bounds."""
    found = NumberRange.between(Key("x", Decimal("3.33"), Decimal("0.01")), Decimal(-2), Decimal(2), step)
    numbers = [found.number(place) for place in range(found.size)]
    above, below = [one for one in numbers if one >= number], [one for one in numbers if one <= number]

    assert (above[0] if above else numbers[-1]) == found.number(found.first_from(number))
    assert (below[-1] if below else numbers[0]) == found.number(found.last_to(number))


def test_a_range_of_one_value_has_no_width() -> None:
    """A fixed number has not moved."""
    found = NumberRange.between(Key("x", Decimal(5), Decimal(1)), Decimal(5), Decimal(5), Decimal(1))

    assert Fraction(0) == found.share(0)


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        ({"least": 1, "most": 2}, "missing_key", "change[3] needs 'key'"),
        ({"key": "one", "most": 2}, "missing_key", "change[3] needs 'least'"),
        ({"key": "one", "least": 2}, "missing_key", "change[3] needs 'most'"),
        ({"key": 1, "least": 1, "most": 2}, "bad_value", "change[3].key: expected the key of a number"),
        (
            {"key": "one", "least": 1, "most": 2, "keep_order": 1},
            "bad_value",
            "change[3].keep_order: expected true or false",
        ),
        (
            {"key": "one", "least": 1, "most": 2, "stepp": 1},
            "unknown_key",
            "change[3]: unknown key 'stepp' — did you mean 'step'? Known: key, least, most, step, keep_order",
        ),
        (
            {"key": "one", "least": 3, "most": 2},
            "bad_bounds",
            "change[3]: the bounds are reversed: least 3, most 2",
        ),
        (
            {"key": "one", "least": "x", "most": 2},
            "not_a_number",
            "change[3].least must be a number such as 27.28, not 'x'",
        ),
        (
            {"key": "one", "least": 1, "most": 2, "step": "0.5"},
            "bad_step",
            "change[3].step: one changes by a multiple of 1, not by 0.5",
        ),
        (
            {"key": "factor", "least": 1, "most": 2, "step": 0},
            "bad_step",
            "change[3].step: factor changes by any number above 0, not by 0",
        ),
        (
            {"key": "one", "least": 11, "most": 12, "step": 7},
            "bad_bounds",
            "change[3]: no multiple of 7 lies between 11 and 12",
        ),
        (
            {"key": "factor", "least": 0, "most": 2, "step": "0.000001"},
            "bad_step",
            "change[3]: factor could have 2,000,001 numbers, and at most 1,000,000 are tried: take a larger step",
        ),
    ],
)
def test_invalid_changes_are_refused(change: dict[str, Any], code: str, sentence: str) -> None:
    """With their path in the file."""
    with pytest.raises(InputError) as refused:
        parse_ranges(change, Toy(), 3)

    assert (code, sentence) == (refused.value.refusal.code, refused.value.refusal.sentence)


def test_a_pattern_makes_a_range_for_each_number() -> None:
    """Each number has its own step unless one is given; those that keep their order are one group."""
    found = parse_ranges({"key": "t*", "least": 0, "most": 20, "keep_order": True}, Toy(), 2)

    assert [("two", Decimal(1), 2), ("three", Decimal(1), 2)] == [
        (one.key.path, one.step, one.order_group) for one in found
    ]


def test_a_coefficient_may_have_finer_steps() -> None:
    """Decimals have steps of a thousandth, points do not."""
    (found,) = parse_ranges({"key": "factor", "least": 1, "most": 2, "step": "0.001"}, Toy())

    assert 1001 == found.size
