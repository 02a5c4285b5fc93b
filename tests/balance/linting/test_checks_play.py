"""Checks of play: strategies, moves, seats and lists of moves."""

from fractions import Fraction

import pytest

from oddsmith.balance.linting.findings import Finding, Severity, judge_exhibit
from oddsmith.exhibit import Choices, MoveBenefit, Seats, Strategy
from oddsmith.figure import Basis, Reading

ONE, NOTHING = Reading(Fraction(1)), Reading()


def strategy_findings(
    wins: Reading, *, decided: bool = False, ends: dict[str, Reading] | None = None
) -> list[Finding]:
    return list(
        judge_exhibit(
            Strategy(
                about="difficulty 5",
                where="timeout",
                name="all in defence",
                wins=wins,
                decided=decided,
                ends=ends or {},
            )
        )
    )


def test_strategy_always_wins_names_its_ending() -> None:
    """A policy that ignores the cards and always wins is a warning, with its commonest ending first."""
    ends = {"by knock-out": Reading(Fraction(1, 100)), "on the clock": Reading(Fraction(99, 100))}
    [only] = strategy_findings(ONE, ends=ends)

    assert Severity.WARNING == only.severity
    assert (
        "difficulty 5: all in defence wins 100 % (exact), whatever the state: "
        "on the clock 99.00 %, by knock-out 1.00 %"
    ) == only.sentence
    assert "let all in defence lose to something: take away what on the clock gives" == only.suggestion


def test_a_deciding_strategy_is_a_note() -> None:
    """A good player may win nearly always."""
    [only] = strategy_findings(Reading(Fraction(199, 200)), decided=True)

    assert Severity.NOTE == only.severity
    assert "difficulty 5: all in defence wins 99.50 % (exact)" == only.sentence


def test_a_strategy_within_its_error_has_no_finding() -> None:
    """99 % must be exceeded beyond the error."""
    assert [] == strategy_findings(Reading(Fraction(99, 100), Fraction(1, 1000), Basis.BOUNDED))


def test_move_never_helps_its_maker() -> None:
    """A build that only others can take."""
    [only] = judge_exhibit(
        MoveBenefit(
            about="moves",
            where="own_builds",
            name="build",
            own=NOTHING,
            others=Reading(Fraction(9)),
            evidence="7♠ builds on 2♦",
        )
    )

    assert "moves: build gains its maker 0 at best, and others up to 9: 7♠ builds on 2♦" == only.sentence


@pytest.mark.parametrize(("own", "others"), [(ONE, ONE), (NOTHING, NOTHING), (ONE, NOTHING)])
def test_a_move_that_helps_or_has_no_effect_has_no_finding(own: Reading, others: Reading) -> None:
    """It is found only where others gain and the maker never does."""
    assert [] == list(
        judge_exhibit(MoveBenefit(about="moves", where="moves", name="trail", own=own, others=others))
    )


def seat_findings(*wins: Fraction, games: int = 0, error: Fraction = Fraction(0)) -> list[Finding]:
    basis = Basis.ESTIMATED if error else Basis.EXACT
    return list(
        judge_exhibit(
            Seats(
                about="three at a short deck",
                where="deck",
                wins=tuple(Reading(share, error, basis) for share in wins),
                games=games,
                players="greedy",
            )
        )
    )


def test_exact_seats_are_unequal_beyond_one_point() -> None:
    """More than one percentage point apart is unequal; one is not."""
    [only] = seat_findings(Fraction(52, 100), Fraction(48, 100))

    assert "three at a short deck, all greedy: seat 0 52.00 %, seat 1 48.00 %" == only.sentence
    assert only.suggestion.endswith("or give seat 1 what makes up for 4.00 %")
    assert [] == seat_findings(Fraction(505, 1000), Fraction(495, 1000))


def test_estimated_seats_are_unequal_by_an_exact_test() -> None:
    """2,200 wins of 4,000 are beyond chance; 2,100, with p = 0.003 over both seats, are not yet."""
    error = Fraction(15, 1000)
    [only] = seat_findings(Fraction(55, 100), Fraction(45, 100), games=4000, error=error)

    assert "seat 1 45.00 % ± 1.50 of 4,000 games; by chance with p = 5.4·10⁻¹⁰" in only.sentence
    assert [] == seat_findings(Fraction(525, 1000), Fraction(475, 1000), games=4000, error=error)
    assert seat_findings(Fraction(1), Fraction(0), games=4000, error=error)[0].sentence.endswith("p < 10⁻³⁰⁰")


def test_seats_without_a_number_of_games_are_judged_by_their_errors() -> None:
    """There is no test, and the error of 95 % decides."""
    [only] = seat_findings(Fraction(55, 100), Fraction(45, 100), error=Fraction(15, 1000))
    close = Fraction(51, 100)

    assert only.sentence.endswith("seat 1 45.00 % ± 1.50, beyond the errors")
    assert [] == seat_findings(close, 1 - close, error=Fraction(15, 1000))


def choice_findings(longest: int, bound: int | None = None) -> list[Finding]:
    return list(
        judge_exhibit(
            Choices(
                about="captures",
                where="combos",
                longest=longest,
                position="twelve aces",
                basis=Basis.EXACT,
                bound=bound,
            )
        )
    )


def test_lists_above_a_thousand_moves_are_found() -> None:
    """The finding has the list's length and position, and the bound of the rules where it is known."""
    [met], [bounded] = choice_findings(1001), choice_findings(2048, bound=4096)

    assert "captures: 1,001 moves in one position: twelve aces" == met.sentence
    assert (
        "captures: 2,048 moves in one position, and up to 4,096 by the rules: twelve aces" == bounded.sentence
    )
    assert [] == choice_findings(1000)
