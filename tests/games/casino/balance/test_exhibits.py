"""The exhibits of Casino, and what the checks find for the rules of a combo guide and for corrected ones."""

from fractions import Fraction
from functools import cache

import pytest

from oddsmith.balance.linting.claims import exhibits_of, parse_claims
from oddsmith.balance.linting.findings import Finding, judge_exhibit
from oddsmith.balance.linting.lint import exhibit_groups
from oddsmith.exhibit import Choices, Effect, Exhibit, Outcome, Payoffs, Seats
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from oddsmith.rules import read_toml
from tests.balance.examples import EXAMPLES, lint_example
from tests.games.casino.tables import SHORT, TRADITIONAL, rules_with

pytestmark = pytest.mark.usefixtures("plain")

GUIDE = Rules.read(str(EXAMPLES / "documents" / "casino.toml"))
GUIDE_SHORT = Rules.read(str(EXAMPLES / "documents" / "casino-short.toml"))
CORRECTED = Rules.read(str(EXAMPLES / "corrected" / "casino.toml"))


def exhibits_about(about: str, rules: Rules) -> list[Exhibit]:
    """Return the exhibits of one group."""
    (group,) = [group for group in exhibit_groups("casino") if group.about == about]
    return list(group.exhibits(rules))


def findings_about(about: str, rules: Rules) -> list[Finding]:
    """Return the findings in one group."""
    return [finding for exhibit in exhibits_about(about, rules) for finding in judge_exhibit(exhibit)]


def wrong_claims(folder: str) -> dict[str, tuple[str, str]]:
    """Return the wrong claims of a file, each with the claimed and the true value."""
    claims = parse_claims(read_toml((EXAMPLES / folder / "casino.claims.toml").read_text(encoding="utf-8")))
    rules = GUIDE if folder == "documents" else CORRECTED
    return {
        finding.sentence.partition(" is said")[0]: (finding.evidence["said"], finding.evidence["true"])
        for exhibit in exhibits_of(claims, rules)
        for finding in judge_exhibit(exhibit)
    }


@cache
def seat_exhibits(rules: Rules) -> tuple[Seats, ...]:
    return tuple(seen for seen in exhibits_about("who sits where", rules) if isinstance(seen, Seats))


def test_the_guides_rules_are_the_default_ones() -> None:
    """The guide has no deck, deal or scoring of its own."""
    assert (DEFAULT, SHORT) == (GUIDE, GUIDE_SHORT)


def test_builds_that_only_others_can_take_are_found() -> None:
    """Under the guide's rules, for sums and for marriages."""
    assert [("move-never-helps", "capture_own_builds")] * 2 == [
        (finding.check, finding.where) for finding in findings_about("the gains of moves", GUIDE)
    ]
    assert [0, 0] == [
        finding.evidence["own"].value for finding in findings_about("the gains of moves", GUIDE)
    ]


@pytest.mark.parametrize("rules", [TRADITIONAL, CORRECTED], ids=["traditional", "corrected"])
def test_builds_that_their_maker_can_take_are_not_reported(rules: Rules) -> None:
    """Every kind of move can help its maker."""
    assert [] == findings_about("the gains of moves", rules)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_seats_of_the_short_deck_are_unequal(players: int) -> None:
    """The first seat, with an empty table, wins least with any number of players, even in a few games."""
    (table,) = [one for one in seat_exhibits(GUIDE_SHORT) if len(one.wins) == players]
    (finding,) = judge_exhibit(table)

    assert "seats-unequal" == finding.check
    assert table.wins[0] == min(table.wins, key=lambda reading: reading.value)
    assert players * 150 == table.games


def test_no_seat_is_favoured_by_the_corrected_rules() -> None:
    """Within the error of a few games."""
    assert [] == [finding for table in seat_exhibits(CORRECTED) for finding in judge_exhibit(table)]


def test_long_lists_of_moves_are_found() -> None:
    """Where cards may be trailed after round 1, a player who always trails meets lists of more than a thousand moves."""
    (choices,) = exhibits_about("how long lists of moves get", GUIDE)
    (finding,) = judge_exhibit(choices)

    assert isinstance(choices, Choices)
    assert choices.longest > 1_000
    assert ("choices-explode", "trail_restriction") == (finding.check, finding.where)
    assert choices.position.startswith("in hand ")


def test_the_short_deck_has_no_marriage() -> None:
    """A note, not a mistake."""
    (finding,) = findings_about("combos", GUIDE_SHORT)

    assert ("unreachable", "note") == (finding.check, finding.severity)
    assert finding.sentence.startswith("marriage, of loose cards cannot be reached")
    assert [] == findings_about("combos", GUIDE)


def test_impossible_points_are_found() -> None:
    """The short deck has ten spades: eleven cannot be required."""
    wanting = SHORT.replace(scoring_short_two=Scoring(spades_wanted=11, spades_points=2))
    (finding,) = findings_about("what is paid for", wanting)

    assert ("unreachable", "scoring_short_two.spades_points") == (finding.check, finding.where)


@pytest.mark.parametrize("rules", [DEFAULT, SHORT], ids=["full", "short"])
def test_all_points_of_the_presets_are_possible(rules: Rules) -> None:
    """More cards are never score fewer points."""
    assert [] == findings_about("what is paid for", rules)
    assert all(isinstance(one, Outcome | Payoffs) for one in exhibits_about("what is paid for", rules))


def test_fewer_cards_that_pay_more_are_found() -> None:
    """Twenty cards for 3 points, and twenty-one for 2."""
    upside_down = SHORT.replace(scoring_short_two=Scoring(cards_wanted=21, cards_points=2, cards_shared=3))
    (finding,) = findings_about("what is paid for", upside_down)

    assert ("pays-more-for-losing", "scoring_short_two.cards_shared") == (finding.check, finding.where)


def test_ownership_without_effect_is_found() -> None:
    """Where all players may take and extend all builds, their owners do not matter."""
    everybody = rules_with(capture_own_builds=True, extend_own_builds=True, extension_takes_ownership=True)

    assert [("no-effect", "extension_takes_ownership")] == [
        (finding.check, finding.where) for finding in findings_about("rules that change nothing", everybody)
    ]


def test_only_rules_in_force_are_checked() -> None:
    """By default: captures by two cards, the restriction on trailing, and sweeps."""
    effects = exhibits_about("rules that change nothing", DEFAULT)

    assert ["two_card_capture", "trail_restriction", "sweep_points"] == [effect.where for effect in effects]
    assert all(isinstance(one, Effect) and sum(one.having.values()) == Fraction(1) for one in effects)
    assert [] == findings_about("rules that change nothing", DEFAULT)


def test_points_without_variance_are_handled() -> None:
    """Where only sweeps pay points, there are none without them."""
    only = rules_with(
        scoring_full=Scoring(most_cards=0, most_spades=0, ten_of_diamonds=0, two_of_spades=0, ace=0)
    )
    (effect,) = [
        one for one in exhibits_about("rules that change nothing", only) if one.where == "sweep_points"
    ]

    assert isinstance(effect, Effect)
    assert ({}, Fraction(1)) == (effect.without, effect.having["sweeps"])


def test_wrong_claims_of_the_guide_are_found() -> None:
    """Nine of its forty-seven claims."""
    assert {
        "combo(cards 5♠ 6♦ 7♣)": ("INVALID", "SEQUENCE"),
        "combo(cards J♠ Q♦ K♣)": ("SET", "SEQUENCE"),
        "combo(cards 7♠)": ("BUILDABLE_SUM", "INVALID"),
        "combo.can_capture(cards K♠ Q♠)": ("yes", "no"),
        "combo.can_capture(cards 5♠ 6♦ 7♣ 8♥)": ("yes", "no"),
        "combo.can_capture(cards 5♠ 5♦ 5♣ 5♥)": ("yes", "no"),
        "combo.can_build(cards 9♠ 9♦ 9♣)": ("yes", "no"),
        "move.legal(move 6♣xK♠+Q♠, hand 6♣ 2♠, loose K♠ Q♠)": ("yes", "no"),
        "move.legal(move 7♠, hand 7♠, loose 8♦, is_last True)": ("no", "yes"),
    } == wrong_claims("documents")


def test_all_claims_of_the_corrected_rules_are_true() -> None:
    assert {} == wrong_claims("corrected")


def test_the_corrected_rules_silence_no_check() -> None:
    assert () == lint_example("corrected", "casino").silenced


def test_findings_that_no_rule_corrects_are_silenced_with_a_reason() -> None:
    """The seats of the short deck, with any number of players, and its missing kings."""
    report = lint_example("corrected", "casino-short")

    assert ["seats-unequal"] * 3 + ["unreachable"] == [one.finding.check for one in report.silenced]
