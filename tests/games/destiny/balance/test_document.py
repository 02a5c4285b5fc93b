"""The checks find the mistakes of the Destiny Deck's original document and none in the corrected one."""

from functools import cache

from oddsmith.balance.linting.claims import Claims, exhibits_of, parse_claims
from oddsmith.exhibit import ClaimedFigure
from oddsmith.games.destiny import DEFAULT, Rules, Run
from oddsmith.rules import read_toml
from tests.balance.examples import EXAMPLES, found_in_document, lint_example


@cache
def claimed_figures(folder: str) -> list[ClaimedFigure]:
    """Return the claims of a folder's file, each with its true value."""
    rules = Rules.read(str(EXAMPLES / folder / "destiny.toml"))
    return [one for one in exhibits_of(_read_claims(folder), rules) if isinstance(one, ClaimedFigure)]


def _read_claims(folder: str) -> Claims:
    return parse_claims(read_toml((EXAMPLES / folder / "destiny.claims.toml").read_text()))


def test_the_document_has_the_numbers_of_the_default_rules() -> None:
    """Except for the shop, which the document does not have."""
    assert DEFAULT.replace(run=Run(prices={})) == Rules.read(str(EXAMPLES / "documents" / "destiny.toml"))


def test_17_rows_of_the_printed_table_are_wrong() -> None:
    """The formula contradicts every row but the first, and no formula of its kind fits the jumps at 26 and 51."""
    (contradiction,), (no_formula,) = (
        found_in_document("destiny", "table-contradicts-formula"),
        found_in_document("destiny", "table-fits-no-formula"),
    )

    assert contradiction.sentence.startswith("17 of 18 rows of the printed skill table contradict")
    assert "50→51 +7.59, 25→26 +0.44" in no_formula.sentence


def test_high_cards_beat_pairs() -> None:
    """Ace, king and queen score 39, and a pair with a four as its kicker 34."""
    (overlap,) = found_in_document("destiny", "lower-beats-higher")

    assert "hand_scores.pair" == overlap.where
    assert "A♥ K♠ Q♠ 3♠ 2♠ (39) against 5♠ 5♥ 4♠ 3♠ 2♠ (34)" in overlap.sentence


def test_twos_beat_aces() -> None:
    """Only the kicker counts: twos with an ace score 44, aces with a king 43."""
    ignored = {
        one.where.removeprefix("hand_scores."): one.sentence
        for one in found_in_document("destiny", "set-ignored")
    }

    assert {"pair", "two_pair", "three_of_a_kind", "four_of_a_kind"} == {*ignored}
    assert "2♠ 2♥ A♠ 4♠ 3♠ (44) beats A♠ A♥ K♠ 3♠ 2♠ (43)" in ignored["pair"]


def test_a_trivial_check_has_no_critical_failure() -> None:
    """More than 50 below a threshold of 50 is below 0, and no total is."""
    (unreachable,) = found_in_document("destiny", "unreachable")

    assert "skill_checks.trivial" == unreachable.where
    assert unreachable.sentence.startswith("trivial, critical failure cannot be reached")


WRONG = {
    ("hand.rank", "high_card"): "straight",
    ("hand.score", "228.43"): "306.86",
    ("hand.base", "404.5"): "400",
    ("suit.bonus", "at most 28.75"): "36.21",
    ("suit.bonus", "at most 22.5"): "25.44",
    ("suit.bonus", "15.0"): "22.84",
    ("suit.bonus", "10.0"): "11.41",
    ("suit.bonus", "40.40"): "36.21",
    ("suit.bonus", "27.28"): "25.44",
    ("suit.bonus", "16.86"): "15.53",
    ("suit.bonus", "12.22"): "11.41",
    ("suit.bonus", "80.90"): "72.43",
    ("npc.bonus", "7.69"): "7.31",
    ("npc.bonus", "16.86"): "15.53",
    ("npc.bonus", "30.53"): "27.92",
    ("npc.bonus", "45.49"): "40.37",
    ("npc.bonus", "78.43"): "57.02",
    ("skill.bonus", "45.49"): "40.37",
    ("skill.bonus", "21.59"): "19.65",
    ("skill.bonus", "65.00"): "48.69",
    ("skill.bonus", "78.43"): "57.02",
    ("skill.bonus", "7.69"): "7.31",
    ("skill.bonus", "92.42"): "65.36",
    ("skill.bonus", "35.41"): "32.06",
}


def test_every_wrong_worked_example_is_found_and_no_right_one() -> None:
    """24 of 77 claims are wrong: a straight called a high card, 228.43 for 306.86, bonuses that no formula gives."""
    wrong = {(one.figure, one.said): one.true for one in claimed_figures("documents") if not one.is_met}

    assert WRONG == wrong
    assert (77, 24, 24) == (
        len(claimed_figures("documents")),
        len(wrong),
        len(found_in_document("destiny", "claim-wrong")),
    )


def test_the_corrected_design_silences_only_what_numbers_cannot_change() -> None:
    """That is the finding about sets; the corrected design has as many claims as the document."""
    report = lint_example("corrected", "destiny")

    assert {"set-ignored"} == {silenced.finding.check for silenced in report.silenced}
    assert len(claimed_figures("documents")) == len(claimed_figures("corrected"))
