"""Effects of each kind of move for its maker and for others."""

from fractions import Fraction

import pytest

from oddsmith.figure import Basis
from oddsmith.games.casino.exhibits import maneuvers
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.tables import SHORT, TRADITIONAL, rules_with


def effects_by_kind(rules: Rules) -> dict[str, tuple[int, int]]:
    return {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(rules)}


def test_8_2_by_default_a_build_is_only_taken_by_others() -> None:
    """A build and a marriage never help their maker; all other kinds do."""
    assert {
        "capture": (3, 0),
        "two-card capture": (4, 0),
        "build marriage": (0, 2),
        "build": (0, 2),
        "extend": (3, 3),
        "trail": (1, 1),
    } == effects_by_kind(DEFAULT)


def test_8_2_in_the_traditional_game_a_build_helps_its_maker() -> None:
    """The maker may take it."""
    assert ((2, 2), (2, 2)) == tuple(
        effects_by_kind(TRADITIONAL)[name] for name in ("build", "build marriage")
    )


def test_1_2_the_short_deck_has_no_marriages() -> None:
    """Impossible kinds are left out."""
    assert ["capture", "two-card capture", "build", "extend", "trail"] == list(effects_by_kind(SHORT))


def test_4_3_without_two_card_captures_no_marriage_is_built() -> None:
    assert ["capture", "build", "extend", "trail"] == list(
        effects_by_kind(rules_with(two_card_capture=False))
    )


@pytest.mark.parametrize(("switches", "own"), [({}, 3), ({"extension_takes_ownership": True}, 0)])
def test_4_4_an_extension_that_takes_ownership_never_helps_its_maker(
    switches: dict[str, bool], own: int
) -> None:
    rules = rules_with(**switches)
    extend = next(one for one in maneuvers(rules) if one.name == "extend")

    assert (Fraction(own), Fraction(3)) == (extend.own.value, extend.others.value)
    assert ("extension_takes_ownership" if switches else "capture_own_builds") == extend.where


def test_the_evidence_is_a_line_of_play() -> None:
    """The move and the capture by another player, or the maker's own capture."""
    effects = {one.name: one for one in maneuvers(DEFAULT)}

    assert "A♠+A♦=2, then 2♥x[A♠A♦]; cards that are never captured go to the player who captured last" == (
        effects["build"].evidence
    )
    assert "3♦x[A♦2♦]" == effects["capture"].evidence
    assert Basis.EXACT is effects["build"].own.basis
