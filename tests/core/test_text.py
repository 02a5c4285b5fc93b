"""Numbers as text for people."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.text import format_percent, format_small_chance


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
        (Fraction(1, 3), "33.33 %"),
        (Fraction(4, 2598960), "0.00015 %"),
        (Fraction(1, 10**9), "1.0e-07 %"),
        (1 - Fraction(1, 10**12), "99.999999 %"),
    ],
)
def test_a_chance_is_written_in_percent(chance: Fraction, text: str) -> None:
    """With two decimals, or as many digits as are significant."""
    assert text == format_percent(chance)


@given(st.fractions(0, 1))
def test_a_chance_is_never_rounded_to_0_or_1(chance: Fraction) -> None:
    """A possible event is not 0 %, and one that can fail is not 100 %."""
    shown = float(format_percent(chance).removesuffix(" %"))

    assert (chance == 0, chance == 1) == (shown == 0, shown == 100)


@pytest.mark.parametrize(
    ("chance", "text"), [(0.0, "0"), (1.0, "1.000"), (0.0314, "0.031"), (2.44e-20, "2.4·10⁻²⁰")]
)
def test_a_small_chance_is_written_with_a_power_of_ten(chance: float, text: str) -> None:
    """With two digits, below a thousandth."""
    assert text == format_small_chance(chance)
