"""The document of the Fate Deck is found out by its own numbers, and the corrected one is not."""

from functools import cache
from pathlib import Path

from oddsmith.balance.linting.claims import claims_from, exhibits_of
from oddsmith.balance.linting.findings import Finding, Severity
from oddsmith.balance.linting.lint import LintReport, lint
from oddsmith.games.fate.rules import DEFAULT, Rules
from oddsmith.rules import read_toml, take_heading

EXAMPLES = Path(__file__).parents[4] / "examples"


@cache
def linted(folder: str) -> LintReport:
    """Lint a folder's ruleset with its claims and its silences."""
    path = EXAMPLES / folder / "fate.toml"
    rules = Rules.read(str(path))
    heading = take_heading(read_toml(path.read_text(encoding="utf-8")))
    claims = claims_from(read_toml((EXAMPLES / folder / "fate.claims.toml").read_text(encoding="utf-8")))
    return lint(rules, claims=exhibits_of(claims, rules), silences=heading.silences)


def found(check: str) -> list[Finding]:
    """Return what was found on the document by a check."""
    return [one for one in linted("documents").findings if one.check == check]


def test_the_document_has_the_deck_of_the_page() -> None:
    """Its eighteen cards are the default, and so are its draws."""
    document = Rules.read(str(EXAMPLES / "documents" / "fate.toml"))

    assert (DEFAULT.cards, DEFAULT.on_turn, DEFAULT.off_turn) == (
        document.cards,
        document.on_turn,
        document.off_turn,
    )


def test_the_mean_of_1_44_is_wrong_and_all_else_that_is_claimed_is_right() -> None:
    """Twenty-seven over eighteen cards is 1.5."""
    (wrong,) = found("claim-wrong")

    assert {"figure": "draw.mean", "said": "1.44", "true": "3/2"} == {
        key: str(wrong.evidence[key]) for key in ("figure", "said", "true")
    }


def test_a_deck_that_is_tested_after_whole_draws_runs_empty() -> None:
    """Two by two it comes down to 0, and one card is never left."""
    (empty,) = found("deck-runs-empty")

    assert [*range(18, -1, -2)] == empty.evidence["sizes"]


def test_two_triggers_are_out_of_reach_off_turn() -> None:
    """With one card nothing is both spades, or a spade and a heart: two notes, and no warning."""
    notes = [(one.where, one.severity) for one in found("unreachable")]

    assert [
        ("checks.both_spades.trigger", Severity.NOTE),
        ("checks.spade_and_heart.trigger", Severity.NOTE),
    ] == notes
    assert 0 == linted("documents").count(Severity.WARNING)


def test_the_corrected_document_is_silent() -> None:
    """Nothing is found; the one trigger that is for two cards is silenced with its reason, and no silence is idle."""
    report = linted("corrected")

    assert () == report.findings
    assert ["checks.spade_and_heart.trigger"] == [one.finding.where for one in report.silenced]
    assert () == report.idle_silences
