"""The checks find the mistakes of the Fate Deck's original document and none in the corrected one."""

from oddsmith.balance.linting.findings import Severity
from oddsmith.games.fate.rules import DEFAULT, Rules
from tests.balance.examples import EXAMPLES, found_in_document, lint_example


def test_the_document_has_the_deck_of_the_rules_page() -> None:
    """The 18 cards and the draws of the document are the defaults."""
    document = Rules.read(str(EXAMPLES / "documents" / "fate.toml"))

    assert (DEFAULT.cards, DEFAULT.on_turn, DEFAULT.off_turn) == (
        document.cards,
        document.on_turn,
        document.off_turn,
    )


def test_the_claimed_mean_of_1_44_is_wrong_and_all_other_claims_are_right() -> None:
    """The mean is 27/18 = 1.5."""
    (wrong,) = found_in_document("fate", "claim-wrong")

    assert {"figure": "draw.mean", "said": "1.44", "true": "3/2"} == {
        key: str(wrong.evidence[key]) for key in ("figure", "said", "true")
    }


def test_a_deck_tested_only_after_whole_draws_runs_empty() -> None:
    """Two at a time, 18 cards come down to 0; one card is never left."""
    (empty,) = found_in_document("fate", "deck-runs-empty")

    assert [*range(18, -1, -2)] == empty.evidence["sizes"]


def test_two_triggers_are_impossible_off_turn() -> None:
    """One card is never two spades, or a spade and a heart: two notes and no warning."""
    notes = [(one.where, one.severity) for one in found_in_document("fate", "unreachable")]

    assert [
        ("checks.both_spades.trigger", Severity.NOTE),
        ("checks.spade_and_heart.trigger", Severity.NOTE),
    ] == notes
    assert 0 == lint_example("documents", "fate").count(Severity.WARNING)


def test_the_trigger_for_two_cards_is_silenced_in_the_corrected_document() -> None:
    assert ["checks.spade_and_heart.trigger"] == [
        one.finding.where for one in lint_example("corrected", "fate").silenced
    ]
