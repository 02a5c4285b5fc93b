"""Points are exact hundredths, and ties are exact."""

import operator
import pickle
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.errors import InputError
from oddsmith.points import LARGEST, Points, exact_decimal, power_points

hundredths = st.integers(-LARGEST, LARGEST)
LINEAR, EXPONENT, COEFFICIENT = Decimal("0.75"), Decimal("1.1"), Decimal("0.05")


def refusal_code(call: Callable[[], object]) -> str:
    with pytest.raises(InputError) as caught:
        call()
    return caught.value.refusal.code


@given(hundredths)
def test_points_are_read_back_as_they_are_written(number: int) -> None:
    """Text, repr, decimal and fraction give the same number of hundredths."""
    points = Points.of_hundredths(number)

    assert points == Points(str(points)) == Points(points.decimal) == Points(points)
    assert f"Points('{points}')" == repr(points)
    assert Fraction(number, 100) == points.fraction
    assert number == points.hundredths
    assert number / 100 == float(points)


@given(hundredths)
def test_a_float_means_its_shortest_decimal(number: int) -> None:
    """A float of two decimals is read as these two decimals."""
    assert Points.of_hundredths(number) == Points(number / 100)


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("27.28", "27.28"), ("27.280000", "27.28"), (" 5 ", "5"), ("+5.", "5"), (".5", "0.5"), ("-0.10", "-0.1"),
        ("-0", "0"), ("007", "7"), (1e3, "1000"), (0.1, "0.1"), (5, "5"), (Decimal("1E+2"), "100"),
        (Decimal("1.50"), "1.5"), ("-0.01", "-0.01"), ("0." + "0" * 38, "0"),
    ],
)  # fmt: skip
def test_points_are_written_in_their_shortest_form(given: str | float | Decimal, written: str) -> None:
    assert written == str(Points(given))


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("1.005", "too_many_decimals"),
        (0.1 + 0.2, "too_many_decimals"),
        ("0.3000000000000000000000000000000000001", "too_many_decimals"),
        ("99999999999999999999999999999.999", "too_many_decimals"),
        ("NaN", "not_a_number"),
        ("inf", "not_a_number"),
        ("-Infinity", "not_a_number"),
        (float("nan"), "not_a_number"),
        (float("-inf"), "not_a_number"),
        (Decimal("nan"), "not_a_number"),
        (Decimal("sNaN"), "not_a_number"),
        (Decimal("inf"), "not_a_number"),
        ("1e3", "not_a_number"),
        ("1_000", "not_a_number"),
        ("٣", "not_a_number"),
        ("", "not_a_number"),
        (".", "not_a_number"),
        ("1 2", "not_a_number"),
        ("--1", "not_a_number"),
        (True, "not_a_number"),
        (None, "not_a_number"),
        ([5], "not_a_number"),
        (Fraction(1, 2), "not_a_number"),
        ("9" * 41, "number_too_long"),
        ("0." + "1" * 40, "number_too_long"),
        pytest.param(10**5000, "number_too_long", id="10^5000"),
        (1e300, "number_too_long"),
        (1e-300, "number_too_long"),
        (Decimal("1e999999"), "number_too_long"),
        (Decimal("1e-999999"), "number_too_long"),
        ("9" * 40, "points_out_of_bounds"),
        (LARGEST + 1, "points_out_of_bounds"),
        ("-10000000.01", "points_out_of_bounds"),
    ],
)
def test_invalid_points_are_refused(given: str, code: str) -> None:
    """More than two decimals, exponents, NaN, infinity, booleans and endless digits."""
    assert code == refusal_code(lambda: Points(given))


def test_the_largest_points_are_allowed() -> None:
    """On both sides; no sum or product goes beyond the bound."""
    most = Points(LARGEST)

    assert "10000000" == str(most)
    assert "-10000000" == str(-most)
    assert "points_out_of_bounds" == refusal_code(lambda: most + Points("0.01"))
    assert "points_out_of_bounds" == refusal_code(lambda: -most - Points("0.01"))
    assert "points_out_of_bounds" == refusal_code(lambda: most * 2)


def test_a_refusal_quotes_the_wrong_number() -> None:
    """Cut to a bounded length."""
    with pytest.raises(InputError) as caught:
        exact_decimal("x" * 500, what="the threshold")

    assert caught.value.refusal.sentence.startswith("the threshold must be a number such as 27.28, not 'xxx")
    assert 100 > len(caught.value.refusal.sentence)


def test_forty_digits_are_kept_exactly() -> None:
    """A decimal has up to forty digits."""
    text = "1." + "123456789" * 4 + "123"

    assert text == str(exact_decimal(text))
    assert "number_too_long" == refusal_code(lambda: exact_decimal(text + "4"))


def test_ties_are_exact() -> None:
    """Sums that floats get wrong are equal, as sums, as keys and in order."""
    tenth, fifth = Points("0.1"), Points("0.2")

    assert Points("0.3") == tenth + fifth
    assert {Points("0.3"): "same"}[tenth + fifth] == "same"
    assert tenth + fifth <= Points("0.3") <= tenth + fifth
    assert Points("636.4") == Points("27.28") * 5 + Points(500) == 5 * Points("27.28") + Points(500)


@given(hundredths, hundredths, st.integers(-50, 50))
def test_arithmetic_is_that_of_the_hundredths(first: int, second: int, count: int) -> None:
    """Sum, difference, product, order and truth."""
    a, b = Points.of_hundredths(first), Points.of_hundredths(second)

    assert (first + second, first - second) == ((a + b).hundredths, (a - b).hundredths)
    assert (first * count, -first) == ((a * count).hundredths, (-a).hundredths)
    assert (first < second, first >= second, first == second) == (a < b, a >= b, a == b)
    assert bool(first) is bool(a)
    assert (first == second) <= (hash(a) == hash(b))


def test_points_do_not_mix_with_plain_numbers() -> None:
    """They are neither added, nor compared, nor equal."""
    one = Points(1)
    mistakes: list[Callable[[], object]] = [
        lambda: one + 1,  # type: ignore[operator]  # the mistake under test
        lambda: one - 1,  # type: ignore[operator]  # the mistake under test
        lambda: one * 0.5,  # type: ignore[operator]  # the mistake under test
        lambda: one < 1,  # type: ignore[operator]  # the mistake under test
        lambda: one * one,  # type: ignore[operator]  # the mistake under test
    ]
    for mistake in mistakes:
        with pytest.raises(TypeError):
            mistake()

    assert one != 1


def test_points_are_immutable_and_picklable() -> None:
    points = Points("27.28")
    with pytest.raises(AttributeError, match="immutable"):
        points.hundredths = 1

    assert points == pickle.loads(pickle.dumps(points))  # noqa: S301  our own bytes


@pytest.mark.parametrize(
    ("thousandths", "rounded"),
    [(5, "0"), (15, "0.02"), (25, "0.02"), (35, "0.04"), (-5, "0"), (-15, "-0.02"), (5001, "5")],
)
def test_computed_numbers_are_rounded_half_even(thousandths: int, rounded: str) -> None:
    """In both directions."""
    assert Points(rounded) == Points.nearest(Fraction(thousandths, 1000))
    assert Points(rounded) == Points.nearest(Decimal(thousandths) / 1000)


@given(hundredths, st.decimals(-10, 10, places=4))
def test_times_rounds_the_exact_product_once(number: int, factor: Decimal) -> None:
    """Multiplying by a decimal is exact and then rounded half-even."""
    exact = (Decimal(number) / 100 * factor).quantize(Decimal("0.01"), ROUND_HALF_EVEN)

    assert Points(exact) == Points.of_hundredths(number).times(factor)


def curve_with_200_digits(count: int) -> Decimal:
    with localcontext(prec=200):
        exact = count * LINEAR + Decimal(count) ** EXPONENT * COEFFICIENT
        return exact.quantize(Decimal("0.01"), ROUND_HALF_EVEN)


@pytest.mark.parametrize("level", range(1, 101))
def test_the_curve_agrees_with_200_digits_at_every_level(level: int) -> None:
    """For every level from 1 to 100 the bonus is correctly rounded."""
    bonus = power_points(level - 1, LINEAR, EXPONENT, COEFFICIENT)

    assert Points(curve_with_200_digits(level - 1)) == bonus


@pytest.mark.parametrize(
    ("level", "bonus"), [(1, "0"), (2, "0.8"), (32, "25.44"), (50, "40.37"), (100, "82.09")]
)
def test_the_curve_has_its_known_values(level: int, bonus: str) -> None:
    """Levels 1, 2, 32, 50 and 100 have the bonuses that were worked out by hand."""
    assert Points(bonus) == power_points(level - 1, LINEAR, EXPONENT, COEFFICIENT)


@pytest.mark.parametrize(
    ("count", "exponent", "coefficient", "rounded"),
    [
        (4, "1.5", "0.000625", "0"),  # 8 × 0.000625 = 0.005, a tie to even
        (4, "1.5", "0.001875", "0.02"),  # 0.015, a tie to even
        (27, "2", "1", "729"),
        (100000, "0.2", "1", "10"),
        (4, "-0.5", "0.01", "0"),  # 0.005 again, from 1/2
        (0, "0", "3", "3"),
        (0, "1.1", "3", "0"),
        (1, "1.7", "3", "3"),
        (2, "0.5", "0", "0"),
        (5, "0.5", "1", "2.24"),
        (8, "0.5", "-1", "-2.83"),
    ],
)
def test_rational_powers_have_exact_ties(count: int, exponent: str, coefficient: str, rounded: str) -> None:
    """Where a power is rational, half a hundredth is exactly half."""
    points = power_points(count, Decimal(0), Decimal(exponent), Decimal(coefficient))

    assert Points(rounded) == points


@pytest.mark.parametrize("digits", [50, 200, 700])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_curve_next_to_a_tie_is_rounded_correctly(digits: int, side: int) -> None:
    """However close an irrational power is to half a hundredth."""
    with localcontext(prec=digits + 10):
        linear = Decimal("0.005") - Decimal(2) ** Decimal("0.5") / 2 + side * Decimal(10) ** -digits
        linear /= 2

    assert Points("0.01" if side > 0 else "0") == power_points(2, linear, Decimal("0.5"), Decimal("0.5"))


def test_a_curve_that_cannot_be_decided_is_refused() -> None:
    """A number within 10^-3000 of half a hundredth is not guessed."""
    with localcontext(prec=3100):
        linear = (Decimal("0.005") - Decimal(2) ** Decimal("0.5")) / 2

    assert "curve_too_fine" == refusal_code(lambda: power_points(2, linear, Decimal("0.5"), Decimal(1)))


@pytest.mark.parametrize(("count", "exponent"), [(-1, "1"), (2_000_000_000, "1"), (2, "101"), (2, "-1e9")])
def test_the_arguments_of_a_curve_are_bounded(count: int, exponent: str) -> None:
    """Negative counts and extreme exponents are refused before they are computed."""
    assert "curve_out_of_bounds" == refusal_code(
        lambda: power_points(count, Decimal(1), Decimal(exponent), Decimal(1))
    )


@pytest.mark.parametrize("compare", [operator.lt, operator.le, operator.gt, operator.ge])
def test_points_compare_only_with_points(compare: Callable[[object, object], bool]) -> None:
    with pytest.raises(TypeError):
        compare(Points(1), 1)


def test_an_invalid_decimal_is_quoted_as_it_was_written() -> None:
    """nan, not Decimal('NaN')."""
    with pytest.raises(InputError) as refused:
        exact_decimal(Decimal("nan"), what="price")

    assert "price must be a number such as 27.28, not NaN" == refused.value.refusal.sentence
