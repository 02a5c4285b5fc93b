"""The original document of Dice Hands as rules and claims: which numbers are true, and the corrected ones."""

from oddsmith.balance.design_files import read_claims, read_design
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import judge_exhibit
from oddsmith.exhibit import ClaimedFigure
from oddsmith.games.dice import DEFAULT
from tests.balance.examples import EXAMPLES


def claimed_figures(folder: str) -> list[ClaimedFigure]:
    """Return the claims of a file, each with its true value."""
    claims = read_claims(str(EXAMPLES / folder / "dice.claims.toml"))
    rules = read_design(claims.rules).rules
    return [exhibit for exhibit in exhibits_of(claims, rules) if isinstance(exhibit, ClaimedFigure)]


def test_the_document_has_the_numbers_of_the_rules_page() -> None:
    design = read_design(str(EXAMPLES / "documents" / "dice.toml"))

    assert DEFAULT == design.rules


def test_seven_claims_of_the_document_are_wrong() -> None:
    """Two straights score less than claimed, a high roll more; first matches and even dice are claimed too high."""
    wrong = [(one.about, one.said, one.true) for one in claimed_figures("documents") if not one.is_met]

    assert [
        ("first_match.missed", "0/1", "1.54 %"),
        ("first_match.missed(levels pair 5)", "0/1", "48.61 %"),
        ("hand.chance(dice 6 normal, hand all_even)", "at least 1/46656", "0 %"),
        ("hand.chance(dice 6 normal, hand all_odd)", "at least 1/46656", "0 %"),
        ("hand.least(dice 5 normal, hand large_straight)", "at least 195", "180"),
        ("hand.least(dice 5 normal, hand small_straight)", "at least 105", "100"),
        ("hand.least(dice normal, hand high_roll)", "5", "6"),
    ] == wrong


def test_worked_examples_and_upgrades_of_the_document_are_right() -> None:
    """The other 46 claims of 53 are true."""
    assert 46 == sum(one.is_met for one in claimed_figures("documents"))


def test_the_printed_pyramid_needs_twelve_dice() -> None:
    """The rules cannot express it; the text of the document shows it."""
    claims = read_claims(str(EXAMPLES / "documents" / "dice.claims.toml"))
    (finding,) = (finding for exhibit in claims.exhibits for finding in judge_exhibit(exhibit))

    assert ("unreachable", "hands.pyramid.pattern") == (finding.check, finding.where)


def test_the_claims_about_the_corrected_numbers_are_true() -> None:
    assert [] == [one.about for one in claimed_figures("corrected") if not one.is_met]
