"""The document of Dice Hands as rules and claims: which of its numbers are true, and that corrected ones keep what it says."""

from oddsmith.balance.design_files import read_claims, read_design
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import judge_exhibit
from oddsmith.exhibit import ClaimedFigure
from oddsmith.games.dice import DEFAULT
from tests.balance.examples import EXAMPLES


def claimed(folder: str) -> list[ClaimedFigure]:
    """Return what a claims file says, beside what is true."""
    claims = read_claims(str(EXAMPLES / folder / "dice.claims.toml"))
    rules = read_design(claims.rules).rules
    return [exhibit for exhibit in exhibits_of(claims, rules) if isinstance(exhibit, ClaimedFigure)]


def test_the_document_holds_the_numbers_of_the_page() -> None:
    """Its rules are the default ones."""
    design = read_design(str(EXAMPLES / "documents" / "dice.toml"))

    assert DEFAULT == design.rules


def test_seven_claims_of_the_document_are_wrong() -> None:
    """Two straights are said to score more than they can, a high roll less; first matches and even dice promise too much."""
    wrong = [(one.about, one.said, one.true) for one in claimed("documents") if not one.is_met]

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
    """All else is true: 46 claims of 53."""
    assert 46 == sum(one.is_met for one in claimed("documents"))


def test_the_pyramid_as_printed_needs_twelve_dice() -> None:
    """What rules cannot hold is shown by the document itself."""
    claims = read_claims(str(EXAMPLES / "documents" / "dice.claims.toml"))
    (finding,) = (finding for exhibit in claims.exhibits for finding in judge_exhibit(exhibit))

    assert ("unreachable", "hands.pyramid.pattern") == (finding.check, finding.where)


def test_the_corrected_numbers_keep_what_the_document_says() -> None:
    """Every claim about them is true."""
    assert [] == [one.about for one in claimed("corrected") if not one.is_met]
