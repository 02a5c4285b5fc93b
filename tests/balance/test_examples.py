"""The five documents are linted as they were printed, and as they were corrected.

Each test is one mistake of a document that lint finds unaided.
"""

import os
from fractions import Fraction
from functools import cache
from pathlib import Path
from unittest import mock

import pytest

from oddsmith.balance.files import gather_designs
from oddsmith.balance.linting.claims import exhibits_of
from oddsmith.balance.linting.findings import Finding
from oddsmith.balance.linting.lint import LintReport, lint

EXAMPLES = Path(__file__).parents[2] / "examples"
CORRECTED = sorted(
    path.name for path in (EXAMPLES / "corrected").glob("*.toml") if ".claims" not in path.name
)


@cache
def report(*names: str) -> LintReport:
    """Lint one design with its claims; without compiled play, which takes longer to compile than to play so few games."""
    with mock.patch.dict(os.environ, {"ODDSMITH_COMPILED": "0"}):
        [design] = gather_designs([str(EXAMPLES / name) for name in names])
        claims = [exhibit for one in design.claims for exhibit in exhibits_of(one, design.rules)]
        return lint(design.rules, claims=claims, silences=design.silences)


def document(game: str) -> LintReport:
    return report(f"documents/{game}.toml", f"documents/{game}.claims.toml")


def found(game: str, check: str, where: str | None = None) -> list[Finding]:
    return [
        finding
        for finding in document(game).findings
        if finding.check == check and where in {None, finding.where}
    ]


def told(game: str, check: str, words: str) -> list[str]:
    """Return the sentences of a check that contain some words."""
    return [finding.sentence for finding in found(game, check) if words in finding.sentence]


def test_destiny_17_rows_of_the_skill_table_are_wrong() -> None:
    """All but the first of 18 rows contradict the formula beside them."""
    [only] = found("destiny", "table-contradicts-formula")

    assert only.sentence.startswith("17 of 18 rows of ")
    assert [5, 10, 15, 20, 25, 26, 30, 35, 40, 45, 50, 51, 60, 70, 80, 90, 100] == [
        row.at for row in only.evidence["wrong"]
    ]


def test_destiny_the_skill_table_fits_no_formula() -> None:
    """25→26 gains 0.44, 50→51 gains 7.59."""
    [only] = found("destiny", "table-fits-no-formula")
    gains = {(jump["from"], jump["to"]): jump["gain"] for jump in only.evidence["jumps"]}

    assert (Fraction("0.44"), Fraction("7.59")) == (gains[25, 26], gains[50, 51])


def test_destiny_high_cards_beat_pairs() -> None:
    """High cards reach 39, and pairs begin at 34."""
    [only] = found("destiny", "lower-beats-higher", "hand_scores.pair")

    assert (39, 34) == (only.evidence["lower"]["best"].worth, only.evidence["higher"]["worst"].worth)


def test_destiny_twos_beat_aces() -> None:
    """A pair of twos with an ace, 44, beats a pair of aces with a king, 43."""
    [only] = found("destiny", "set-ignored", "hand_scores.pair")

    assert (44, 43) == (only.evidence["worse"].worth, only.evidence["better"].worth)
    assert ("2♠ 2♥ A♠", "A♠ A♥ K♠") == tuple(only.evidence[one].text[:8] for one in ("worse", "better"))


def test_destiny_a_straight_is_called_high_card() -> None:
    """A♠ K♠ Q♣ J♥ 10♦ is a straight."""
    [only] = told("destiny", "claim-wrong", "hand.rank(hand A♠ K♠ Q♣ J♥ 10♦)")

    assert "is said to be high_card" in only
    assert "it is straight, exact" in only


@pytest.mark.parametrize(
    ("said", "true"),
    [
        ("228.43", "306.86"),
        ("404.5", "400"),
        ("45.49", "40.37"),
        ("27.28", "25.44"),
        ("78.43", "57.02"),
        ("at most 28.75", "36.21"),
        ("at most 22.5", "25.44"),
        ("15.0", "22.84"),
        ("10.0", "11.41"),
    ],
)
def test_destiny_worked_examples_are_wrong(said: str, true: str) -> None:
    """Totals and bonuses that the document prints are not what its rules give."""
    assert any(
        f"it is {true}, exact" in sentence
        for sentence in told("destiny", "claim-wrong", f"is said to be {said} ")
    )


def test_duel_all_defence_wins() -> None:
    """Who only defends wins at every difficulty, and often on the clock."""
    sentences = told("duel", "strategy-always-wins", "all_defense wins")

    assert any("the clock" in sentence for sentence in sentences)
    assert all(
        finding.evidence["wins"].low >= Fraction(99, 100) for finding in found("duel", "strategy-always-wins")
    )


def test_duel_fleeing_pays() -> None:
    """5 experience and 10 score for nothing done."""
    [only] = found("duel", "pays-more-for-losing", "rewards.flee_experience")

    assert "pays 5 experience and 10 score for nothing done" in only.sentence


@pytest.mark.parametrize(
    ("circumstances", "share"),
    [("5 normal dice", Fraction(5, 324)), ("5 normal dice, pair at level 5", Fraction(35, 72))],
)
def test_dice_the_first_match_pays_less(circumstances: str, share: Fraction) -> None:
    """In 1.54 % of rolls of five dice, and in 48.6 % once only pair is at level 5."""
    [only] = [
        finding
        for finding in found("dice", "first-match-pays-less")
        if finding.evidence["circumstances"] == circumstances
    ]

    assert share == only.evidence["share"].value


@pytest.mark.parametrize("hand", ["all_even", "all_odd"])
def test_dice_hands_are_unreachable_with_six_dice_and_more(hand: str) -> None:
    """A stronger hand always matches first."""
    sentences = told("dice", "unreachable", f"{hand} with 6 to 10 dice cannot be reached")

    assert ["a stronger hand always matches first"] == [
        sentence.partition(": ")[2].partition(";")[0] for sentence in sentences
    ]


@pytest.mark.parametrize(
    ("hand", "dice"),
    [
        ("pair", "7 to 10"),
        ("high_roll", "6 to 10"),
        ("two_pair", "8 to 10"),
        ("three_of_a_kind", "8 to 10"),
        ("small_straight", "8 to 10"),
        ("large_straight", "9 to 10"),
        ("full_house", "9 to 10"),
    ],
)
def test_dice_hands_are_unreachable_at_larger_pools(hand: str, dice: str) -> None:
    """More dice always make more than the weaker hands."""
    assert told("dice", "unreachable", f"{hand} with {dice} dice cannot be reached")


def test_dice_the_mirror_does_nothing() -> None:
    """7 − roll of a fair die is a fair die."""
    assert found("dice", "no-effect", "kinds.mirror.effect")
    assert found("dice", "offer-worthless", "kinds.mirror.price")


def test_dice_wild_dominates() -> None:
    """A wild die is worth at least as much as every other at its price and above."""
    [only] = found("dice", "offer-dominates", "kinds.wild.price")

    assert {"weighted", "glass", "odd", "even", "echo"} <= {
        offer.name for offer in only.evidence["dominated"]
    }


def test_fate_the_mean_is_not_what_is_claimed() -> None:
    """1.44 is said, 3/2 is true."""
    [only] = [finding for finding in found("fate", "claim-wrong") if finding.evidence["said"] == "1.44"]

    assert Fraction(3, 2) == only.evidence["true"]


def test_fate_the_deck_empties_when_tested_after_whole_draws() -> None:
    """18, 16, … 0."""
    [only] = found("fate", "deck-runs-empty")

    assert list(range(18, -1, -2)) == only.evidence["sizes"]


def test_casino_builds_help_only_others() -> None:
    """Who builds may not take the build."""
    moves = {
        finding.evidence["move"] for finding in found("casino", "move-never-helps", "capture_own_builds")
    }

    assert "build" in moves


def test_casino_the_short_deck_favours_seats() -> None:
    """With equal play the last of two seats wins nearly two games of three."""
    findings = [
        finding
        for finding in report("documents/casino-short.toml").findings
        if finding.check == "seats-unequal"
    ]
    [two] = [finding for finding in findings if len(finding.evidence["wins"]) == 2]

    assert two.evidence["wins"][1].low > Fraction(55, 100)


@pytest.mark.parametrize("name", CORRECTED)
def test_lint_is_silent_on_what_was_corrected(name: str) -> None:
    """Nothing is found in a corrected ruleset, and no silence is idle; the few that are there have reasons."""
    claims = f"corrected/{name.removesuffix('.toml')}.claims.toml"
    linted = report(f"corrected/{name}", *([claims] if (EXAMPLES / claims).exists() else []))

    assert ((), ()) == (linted.findings, linted.idle_silences)
    assert 4 >= len(linted.silenced)


def test_all_five_are_corrected() -> None:
    """Each game has a document and a corrected ruleset."""
    assert {"casino.toml", "destiny.toml", "dice.toml", "duel.toml", "fate.toml"} <= set(CORRECTED)
