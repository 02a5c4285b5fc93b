"""What Casino shows, and what the checks find in it: on a combo guide's own rules, and on corrected ones."""

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
from tests.games.casino.tables import SHORT, TRADITIONAL, ruled

pytestmark = pytest.mark.usefixtures("plain")

GUIDE = Rules.read(str(EXAMPLES / "documents" / "casino.toml"))
GUIDE_SHORT = Rules.read(str(EXAMPLES / "documents" / "casino-short.toml"))
CORRECTED = Rules.read(str(EXAMPLES / "corrected" / "casino.toml"))


def shown(about: str, rules: Rules) -> list[Exhibit]:
    """Return what one stand shows."""
    (stand,) = [stand for stand in exhibit_groups("casino") if stand.about == about]
    return list(stand.exhibits(rules))


def found(about: str, rules: Rules) -> list[Finding]:
    """Return what is found at one stand."""
    return [finding for exhibit in shown(about, rules) for finding in judge_exhibit(exhibit)]


def claimed(folder: str) -> dict[str, tuple[str, str]]:
    """Return what a claims file says wrongly: by the claim, what is said and what is so."""
    claims = parse_claims(read_toml((EXAMPLES / folder / "casino.claims.toml").read_text(encoding="utf-8")))
    rules = GUIDE if folder == "documents" else CORRECTED
    return {
        finding.sentence.partition(" is said")[0]: (finding.evidence["said"], finding.evidence["true"])
        for exhibit in exhibits_of(claims, rules)
        for finding in judge_exhibit(exhibit)
    }


@cache
def seats(rules: Rules) -> tuple[Seats, ...]:
    return tuple(seen for seen in shown("who sits where", rules) if isinstance(seen, Seats))


def test_the_guides_rules_are_the_default_ones() -> None:
    """It has no deck, deal or scoring of its own."""
    assert (DEFAULT, SHORT) == (GUIDE, GUIDE_SHORT)


def test_builds_that_only_others_can_take_are_found() -> None:
    """Under the guide's own rules, of sums and of marriages."""
    assert [("move-never-helps", "capture_own_builds")] * 2 == [
        (finding.check, finding.where) for finding in found("the gains of moves", GUIDE)
    ]
    assert [0, 0] == [finding.evidence["own"].value for finding in found("the gains of moves", GUIDE)]


@pytest.mark.parametrize("rules", [TRADITIONAL, CORRECTED], ids=["traditional", "corrected"])
def test_a_build_that_its_maker_can_take_is_no_finding(rules: Rules) -> None:
    """Every kind of move can help its maker."""
    assert [] == found("the gains of moves", rules)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_short_decks_seats_are_unequal(players: int) -> None:
    """The first seat, before an empty table, wins least at every table, even in a few games."""
    (table,) = [one for one in seats(GUIDE_SHORT) if len(one.wins) == players]
    (finding,) = judge_exhibit(table)

    assert "seats-unequal" == finding.check
    assert table.wins[0] == min(table.wins, key=lambda reading: reading.value)
    assert players * 150 == table.games


def test_the_corrected_rules_give_no_seat_more() -> None:
    """As far as so few games can tell."""
    assert [] == [finding for table in seats(CORRECTED) for finding in judge_exhibit(table)]


def test_a_list_of_moves_can_explode() -> None:
    """Where cards may be trailed after round 1, somebody who always does makes lists of more than a thousand moves."""
    (choices,) = shown("how long lists of moves get", GUIDE)
    (finding,) = judge_exhibit(choices)

    assert isinstance(choices, Choices)
    assert choices.longest > 1_000
    assert ("choices-explode", "trail_restriction") == (finding.check, finding.where)
    assert choices.position.startswith("in hand ")


def test_the_short_deck_has_no_marriage() -> None:
    """Worth knowing, and no mistake."""
    (finding,) = found("combos", GUIDE_SHORT)

    assert ("unreachable", "note") == (finding.check, finding.severity)
    assert finding.sentence.startswith("marriage, of loose cards cannot be reached")
    assert [] == found("combos", GUIDE)


def test_points_that_nobody_can_make_are_found() -> None:
    """The short deck has ten spades: eleven cannot be wanted."""
    wanting = SHORT.replace(scoring_short_two=Scoring(spades_wanted=11, spades_points=2))
    (finding,) = found("what is paid for", wanting)

    assert ("unreachable", "scoring_short_two.spades_points") == (finding.check, finding.where)


@pytest.mark.parametrize("rules", [DEFAULT, SHORT], ids=["full", "short"])
def test_all_points_of_the_presets_can_be_made(rules: Rules) -> None:
    """And more cards are never worth less."""
    assert [] == found("what is paid for", rules)
    assert all(isinstance(one, Outcome | Payoffs) for one in shown("what is paid for", rules))


def test_one_card_less_that_pays_more_is_found() -> None:
    """Twenty cards for 3 points, and twenty-one for 2."""
    upside_down = SHORT.replace(scoring_short_two=Scoring(cards_wanted=21, cards_points=2, cards_shared=3))
    (finding,) = found("what is paid for", upside_down)

    assert ("pays-more-for-losing", "scoring_short_two.cards_shared") == (finding.check, finding.where)


def test_ownership_that_matters_to_nothing_is_found() -> None:
    """Where everybody may take and extend all builds, it does not matter who owns them."""
    everybody = ruled(capture_own_builds=True, extend_own_builds=True, extension_takes_ownership=True)

    assert [("no-effect", "extension_takes_ownership")] == [
        (finding.check, finding.where) for finding in found("rules that change nothing", everybody)
    ]


def test_only_rules_in_force_are_looked_at() -> None:
    """Of the default: captures by two cards, the restriction on trailing, and sweeps."""
    effects = shown("rules that change nothing", DEFAULT)

    assert ["two_card_capture", "trail_restriction", "sweep_points"] == [effect.where for effect in effects]
    assert all(isinstance(one, Effect) and sum(one.having.values()) == Fraction(1) for one in effects)
    assert [] == found("rules that change nothing", DEFAULT)


def test_points_for_nothing_spread_over_nothing() -> None:
    """Where a sweep is all that brings points, there are none without it."""
    only = ruled(scoring_full=Scoring(most_cards=0, most_spades=0, ten_of_diamonds=0, two_of_spades=0, ace=0))
    (effect,) = [one for one in shown("rules that change nothing", only) if one.where == "sweep_points"]

    assert isinstance(effect, Effect)
    assert ({}, Fraction(1)) == (effect.without, effect.having["sweeps"])


def test_what_the_guide_says_wrongly() -> None:
    """Nine of its forty-seven claims; the rest is so."""
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
    } == claimed("documents")


def test_what_the_corrected_rules_say_is_so() -> None:
    """All of it."""
    assert {} == claimed("corrected")


def test_nothing_has_to_be_silenced_in_the_corrected_rules() -> None:
    assert () == lint_example("corrected", "casino").silenced


def test_what_no_rule_corrects_is_silenced_with_a_reason() -> None:
    """The short deck's seats, at every table, and its want of kings."""
    report = lint_example("corrected", "casino-short")

    assert ["seats-unequal"] * 3 + ["unreachable"] == [one.finding.check for one in report.silenced]
