"""Checks of whole games: quiet where the error allows no verdict."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.linting.findings import Severity, judge_exhibit
from oddsmith.balance.linting.lint import exhibit_groups, lint
from oddsmith.balance.play.exhibits import EXHIBITS
from oddsmith.exhibit import ActionUse, Exhibit, GameLength, LuckPart, NumberUse
from oddsmith.figure import Basis, Reading
from oddsmith.registry import SEPARATOR, VARIABLE
from oddsmith.rules import Ruleset
from tests.defaults.again import MECHANIC as AGAIN
from tests.defaults.brute_force import example
from tests.mechanics.subjects import SOURCES

COMMON: dict[str, Any] = {"about": "2 seats", "where": "play", "players": "play at random"}


def estimated(value: str, error: str) -> Reading:
    return Reading(Fraction(value), Fraction(error), Basis.ESTIMATED)


def action(best: Reading) -> ActionUse:
    return ActionUse(**COMMON, name="hold", possible=Reading(Fraction(1, 2)), best=best, alone=best)


def length(choices: Reading, unfinished: int = 0) -> GameLength:
    return GameLength(**COMMON, choices=choices, games=100, unfinished=unfinished)


def luck(share: Reading) -> LuckPart:
    return LuckPart(**COMMON, share=share, sources={"die": share, "deal": Reading(Fraction(0))})


def number(*, is_used: bool, is_exact: bool = True) -> NumberUse:
    return NumberUse(
        about="limit",
        where="limit",
        value=Decimal(9),
        tried=(Decimal(10), Decimal(8)),
        is_used=is_used,
        is_exact=is_exact,
        measured="all games",
    )


@pytest.mark.parametrize(
    ("exhibit", "checks"),
    [
        (action(estimated("0", "0.06")), ["action-never-best"]),
        (action(estimated("0", "0.2")), []),
        (action(estimated("0.01", "0.01")), []),
        (action(estimated("1", "0.06")), ["action-always-best"]),
        (action(estimated("1", "0.2")), []),
        (action(Reading(Fraction(0))), ["action-never-best"]),
        (length(estimated("150", "20")), ["game-too-long"]),
        (length(estimated("110", "20")), []),
        (length(estimated("10", "1"), unfinished=1), ["game-too-long"]),
        (luck(estimated("0.99", "0.01")), ["decided-by-luck"]),
        (luck(estimated("0.99", "0.2")), []),
        (luck(Reading(Fraction(1, 2))), []),
        (number(is_used=False), ["number-without-effect"]),
        (number(is_used=True), []),
    ],
    ids=lambda value: "" if isinstance(value, list) else type(value).__name__,
)
def test_a_verdict_needs_evidence_beyond_the_error(exhibit: Exhibit, checks: list[str]) -> None:
    found = [*judge_exhibit(exhibit)]

    assert checks == [finding.check for finding in found]
    assert all(finding.sentence and finding.suggestion and finding.evidence for finding in found)
    assert all(finding.where == exhibit.where for finding in found)


@pytest.fixture
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, SEPARATOR.join((SOURCES, "tests.defaults.again:MECHANIC")))


@pytest.mark.parametrize(("is_exact", "severity"), [(True, Severity.WARNING), (False, Severity.NOTE)])
def test_a_number_that_may_matter_in_games_that_were_not_played_is_a_note(
    *, is_exact: bool, severity: Severity
) -> None:
    [finding] = judge_exhibit(number(is_used=False, is_exact=is_exact))

    assert severity == finding.severity


def findings_of(rules: Ruleset) -> list[tuple[str, str, Severity]]:
    return [(finding.check, finding.where, finding.severity) for finding in lint(rules).findings]


@pytest.mark.usefixtures("_registered")
def test_pig_with_two_sides_and_two_points_has_no_choice_and_an_unfair_first_seat() -> None:
    """Seat 0 wins two of three games, luck decides all; a goal of 1 is the same, but one of 3 or 4 is not."""
    found = findings_of(example("pig").rules_type(goal=2, sides=2))

    assert [
        ("decided-by-luck", "luck", Severity.WARNING),
        ("seats-unequal", "seats", Severity.WARNING),
    ] == found


@pytest.mark.usefixtures("_registered")
def test_a_number_that_changes_nothing_is_found() -> None:
    """With one and two more and fewer, over all games; the sides of the die matter."""
    [finding] = [one for one in lint(AGAIN.rules_type()).findings if one.check == "number-without-effect"]

    assert "unused" == finding.where
    assert (
        "unused changes nothing: with 3 and with 4, 2, 5, 1, all games at random are the same"
        == finding.sentence
    )


@pytest.mark.usefixtures("_registered")
def test_a_result_that_never_differs_is_not_judged() -> None:
    """A die with one side, for one seat: no seats to compare, nothing that luck could decide."""
    assert {"number-without-effect"} == {check for check, _, _ in findings_of(AGAIN.rules_type(sides=1))}


@pytest.mark.usefixtures("_registered")
def test_a_mechanic_has_exhibits_of_play_where_it_has_none_of_its_own() -> None:
    assert EXHIBITS is exhibit_groups("pig")
    assert EXHIBITS is not exhibit_groups("duel")
