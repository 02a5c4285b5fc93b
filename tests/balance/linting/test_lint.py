"""Linting of a whole ruleset, with silenced findings listed separately."""

from fractions import Fraction

import pytest

from oddsmith.balance.linting.findings import Severity, known_checks
from oddsmith.balance.linting.lint import LintReply, exhibit_groups, lint
from oddsmith.errors import RulesError
from oddsmith.exhibit import Exhibit, Outcome
from oddsmith.games.fate import Rules


def make_outcome(where: str, *, expected: bool = False) -> Exhibit:
    return Outcome(
        about=where,
        where=where,
        least=Fraction(0),
        most=Fraction(0),
        least_for="",
        most_for="",
        expected=expected,
    )


CLAIMS = (
    make_outcome("crimes.nap", expected=True),
    make_outcome("crimes.vault"),
    make_outcome("checks[10]"),
    make_outcome("checks[0]"),
)
KEYS = {exhibit.where for exhibit in CLAIMS}


def test_findings_are_ordered_by_severity() -> None:
    """Then by check and key, with numbers in keys as numbers."""
    report = lint(Rules(), claims=CLAIMS)
    claimed = [finding.where for finding in report.findings if finding.where in KEYS]

    assert ["checks[0]", "checks[10]", "crimes.vault", "crimes.nap"] == claimed
    assert sorted(report.findings, key=lambda finding: [*Severity].index(finding.severity)) == list(
        report.findings
    )


def test_a_check_is_silenced_with_a_reason() -> None:
    """A silenced finding is kept with its reason and does not count."""
    report = lint(Rules(), claims=CLAIMS, silences={"unreachable": "a dream"})

    assert [] == [finding for finding in report.findings if finding.check == "unreachable"]
    assert {"a dream"} == {kept.reason for kept in report.silenced}
    assert () == report.idle_silences


def test_a_key_or_a_pattern_of_keys_is_silenced() -> None:
    """The longest name that matches a finding gives the reason; brackets are literal."""
    silences = {
        "unreachable:crimes.*": "all",
        "unreachable:crimes.vault": "this",
        "unreachable:checks[0]": "first",
        "unreachable:checks[?0]": "tenth",
    }
    report = lint(Rules(), claims=CLAIMS, silences=silences)
    reasons = {kept.finding.where: kept.reason for kept in report.silenced if kept.finding.where in KEYS}

    assert {
        "crimes.nap": "all",
        "crimes.vault": "this",
        "checks[0]": "first",
        "checks[10]": "tenth",
    } == reasons


def test_a_silence_without_a_finding_is_reported() -> None:
    """Otherwise it would hide later findings."""
    report = lint(Rules(), silences={"unreachable:crimes.*": "gone", "claim-wrong": "gone"})

    assert ("unreachable:crimes.*", "claim-wrong") == report.idle_silences


def test_checks_may_be_selected() -> None:
    """The others find nothing, and their silences are not reported as unused."""
    silences = {"unreachable": "a dream", "certain": "gone"}
    report = lint(Rules(), claims=CLAIMS, silences=silences, only=["unreachable"])

    assert {"unreachable"} == {kept.finding.check for kept in report.silenced}
    assert ((), ()) == (report.findings, report.idle_silences)


def test_an_unknown_check_cannot_be_silenced() -> None:
    """The refusal suggests the nearest."""
    with pytest.raises(RulesError) as caught:
        lint(Rules(), silences={"unreachabel:crimes.vault": "a slip"})

    assert ("unknown_check", "silence.unreachabel:crimes.vault") == (
        caught.value.refusal.code,
        caught.value.refusal.where,
    )
    assert "did you mean 'unreachable'?" in caught.value.refusal.sentence


def test_progress_names_the_group_of_exhibits() -> None:
    """Each group with the share that is done, and the end with 1."""
    reported: list[tuple[str, float]] = []

    def report_progress(about: str, done: float) -> None:
        reported.append((about, done))

    report = lint(Rules(), progress=report_progress)

    assert [group.about for group in exhibit_groups("fate")] == [about for about, _ in reported[:-1]]
    assert ("", 1.0) == reported[-1]
    assert report.exhibits >= len(reported) - 1


def test_counts_are_by_severity() -> None:
    """A report counts findings by severity, and several reports have the worst severity."""
    quiet, loud = lint(Rules(cards=Rules().cards)), lint(Rules(), design="mine", claims=CLAIMS)

    assert 3 == loud.count(Severity.WARNING) - quiet.count(Severity.WARNING)
    assert ("fate", "mine") == (quiet.design, loud.design)
    assert Severity.WARNING == LintReply.of([quiet, loud]).worst


def test_every_check_has_a_description() -> None:
    """It has a title, one line of explanation, and a type of exhibit."""
    assert all(
        check.title and check.explanation.endswith(".") and check.exhibit for check in known_checks().values()
    )
    assert {
        "action-always-best",
        "action-never-best",
        "certain",
        "choices-explode",
        "claim-wrong",
        "decided-by-luck",
        "deck-runs-empty",
        "first-match-pays-less",
        "game-too-long",
        "lower-beats-higher",
        "move-never-helps",
        "no-effect",
        "number-without-effect",
        "offer-dominates",
        "offer-worthless",
        "pays-more-for-losing",
        "rarer-scores-less",
        "seats-unequal",
        "set-ignored",
        "strategy-always-wins",
        "table-contradicts-formula",
        "table-fits-no-formula",
        "unreachable",
    } == set(known_checks())
