"""Checks of printed tables against their formulas."""

from fractions import Fraction
from math import exp, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.balance.linting.checks import tables
from oddsmith.balance.linting.checks.tables import bends_of, best_line, steps_of
from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.exhibit import PrintedTable, TableRow

HUNDREDTH = Fraction(1, 100)
PRINTED = {
    1: "0",
    10: "7.69",
    20: "16.86",
    25: "21.59",
    26: "22.03",
    40: "35.41",
    50: "45.49",
    51: "53.08",
    70: "78.43",
}
COMPUTED = {
    1: "0",
    10: "7.31",
    20: "15.53",
    25: "19.65",
    26: "20.47",
    40: "32.06",
    50: "40.37",
    51: "41.2",
    70: "57.02",
}


def table_findings(
    printed: dict[int, str],
    computed: dict[int, str] | None = None,
    *,
    digit: Fraction = HUNDREDTH,
    in_force: bool = False,
) -> list[Finding]:
    rows = tuple(
        TableRow(
            at=Fraction(at),
            printed=Fraction(number),
            computed=Fraction(computed[at]) if computed is not None else None,
        )
        for at, number in printed.items()
    )
    return list(
        judge_exhibit(
            PrintedTable(
                about="the table",
                where="table",
                rows=rows,
                digit=digit,
                formula="the formula",
                in_force=in_force,
            )
        )
    )


def test_one_wrong_row_is_in_the_singular() -> None:
    contradiction = table_findings({1: "0", 2: "1", 3: "9"}, {1: "0", 2: "1", 3: "2"})[0]

    assert contradiction.sentence.startswith("1 of 3 rows of the table contradicts the formula; ")


def test_table_contradicts_formula_is_one_finding() -> None:
    """All wrong rows are counted, the worst is named, and the right numbers are suggested."""
    contradiction = table_findings(PRINTED, COMPUTED)[0]

    assert (
        "8 of 9 rows of the table contradict the formula; worst at 70, where 78.43 is printed for 57.02 "
        "(play uses the formula)"
    ) == contradiction.sentence
    assert contradiction.suggestion.startswith("print 10: 7.31, 20: 15.53,")
    assert table_findings(PRINTED, COMPUTED, in_force=True)[0].sentence.endswith("(play uses the table)")


def test_rounding_is_no_contradiction() -> None:
    """A number that rounds to the printed digit is right, and half a digit is still rounding."""
    assert [] == table_findings({1: "0.33", 2: "0.67"}, {1: "1/3", 2: "2/3"})
    assert [] == table_findings({1: "0.33", 2: "0.5"}, {1: "0.335", 2: "0.495"})
    assert ["table-contradicts-formula"] == [one.check for one in table_findings({1: "0.33"}, {1: "0.336"})]


def test_table_fits_no_formula_names_the_jumps() -> None:
    """25→26 gains 0.44 and 50→51 gains 7.59: no convex or concave curve has both."""
    [only] = table_findings(PRINTED)

    assert only.sentence.startswith("the table follows no formula: the nearest, ")
    assert only.sentence.endswith("50→51 +7.59, 25→26 +0.44, 20→25 +0.946")
    assert "it is convex at 50 and concave at 51" in only.evidence["proof"]
    assert "print the rows of one formula: the formula" == only.suggestion


def test_table_fits_no_formula_without_a_jump() -> None:
    """A convex or concave table that no formula fits is found by its distance alone."""
    [only] = table_findings({x: str(2 ** abs(x - 3)) for x in range(8)})

    assert "out of line" not in only.sentence
    assert "no formula of these kinds was found within rounding" == only.evidence["proof"]


@pytest.mark.parametrize(
    "printed",
    [
        {x: f"{2.5 * x + 7:.2f}" for x in range(1, 60, 7)},
        {x: f"{0.03 * x * x - x + 7:.2f}" for x in range(0, 60, 7)},
        {x: f"{1.7 * x**1.3:.2f}" for x in range(1, 60, 7)},
        {x: f"{12 * exp(-0.04 * x):.2f}" for x in range(0, 60, 7)},
        {x: f"{0.75 * (x - 1) + 0.05 * (x - 1) ** 1.1:.2f}" for x in range(1, 101, 9)},
    ],
    ids=["linear", "quadratic", "power", "exponential", "line and power"],
)
def test_a_table_of_a_formula_has_no_finding(printed: dict[int, str]) -> None:
    """Each family of formulas is recognised from its rounded numbers."""
    assert [] == table_findings(printed)


def test_a_table_of_its_own_formula_has_no_finding() -> None:
    """Of any family."""
    steps = {x: str(x // 4 * 10) for x in range(12)}

    assert [] == table_findings(steps, steps)
    assert ["table-fits-no-formula"] == [one.check for one in table_findings(steps)]


def test_short_tables_and_tables_with_repeated_rows_are_not_fitted() -> None:
    """A parabola fits any three rows; two rows at one place fit nothing and are another mistake."""
    doubled = tuple(TableRow(at=Fraction(at), printed=Fraction(at), computed=None) for at in (1, 1, 2, 3, 4))
    doubled_table = PrintedTable(
        about="it", where="it", rows=doubled, digit=HUNDREDTH, formula="", in_force=True
    )

    assert [] == table_findings({1: "5", 2: "1", 3: "9"})
    assert [] == list(judge_exhibit(doubled_table))


@given(st.lists(st.integers(-50, 50), min_size=3, max_size=6))
def test_the_nearest_line_has_the_least_distance(values: list[int]) -> None:
    """The least distance is that of the worst three rows."""
    points = [(Fraction(x), Fraction(y)) for x, y in enumerate(values)]
    worst = max(
        abs((values[k] - values[i]) * Fraction(j - i, k - i) - (values[j] - values[i])) / 2
        for i in range(len(values))
        for j in range(i + 1, len(values))
        for k in range(j + 1, len(values))
    )

    assert pytest.approx(float(worst), abs=1e-9) == best_line(points).distance


@given(st.lists(st.integers(0, 30), min_size=3, max_size=8))
def test_a_convex_table_never_bends_downwards(gains: list[int]) -> None:
    """Where every step gains at least as much as the one before, no bend is downwards."""
    total, points = 0, []
    for at, gain in enumerate(sorted(gains)):
        points.append((Fraction(at), Fraction(total)))
        total += gain

    assert bends_of(steps_of(points, HUNDREDTH))[1] is None


def test_a_family_with_equal_functions_fits_nothing() -> None:
    """Where the functions of a family are equal in every row, the distance is infinite."""
    assert ([0, 0], inf) == tables._minimax([[1, 1], [1, 1], [1, 1]], [1, 2, 3])
