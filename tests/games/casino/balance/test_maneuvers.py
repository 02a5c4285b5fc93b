"""What a kind of move can bring its maker, and others."""

from fractions import Fraction

import pytest

from oddsmith.figure import Basis
from oddsmith.games.casino.exhibits import maneuvers
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.tables import SHORT, TRADITIONAL, ruled


def brought(rules: Rules) -> dict[str, tuple[int, int]]:
    return {one.name: (int(one.own.value), int(one.others.value)) for one in maneuvers(rules)}


def test_8_2_by_default_a_build_is_only_ever_taken_by_others() -> None:
    """Its maker gets nothing of it, and neither does one who builds a marriage; all else helps whoever does it."""
    assert {
        "capture": (3, 0),
        "two-card capture": (4, 0),
        "build marriage": (0, 2),
        "build": (0, 2),
        "extend": (3, 3),
        "trail": (1, 1),
    } == brought(DEFAULT)


def test_8_2_traditional_is_the_game_in_which_a_build_is_worth_making() -> None:
    """Whoever builds may take it."""
    assert ((2, 2), (2, 2)) == tuple(brought(TRADITIONAL)[name] for name in ("build", "build marriage"))


def test_1_2_the_short_deck_has_no_marriages() -> None:
    """What cannot be done is not shown."""
    assert ["capture", "two-card capture", "build", "extend", "trail"] == list(brought(SHORT))


def test_4_3_without_two_cards_no_marriage_is_built() -> None:
    """Nor is anything captured by two."""
    assert ["capture", "build", "extend", "trail"] == list(brought(ruled(two_card_capture=False)))


@pytest.mark.parametrize(("switches", "own"), [({}, 3), ({"extension_takes_ownership": True}, 0)])
def test_4_4_who_owns_what_it_extends_cannot_take_it(switches: dict[str, bool], own: int) -> None:
    """Where an extension takes ownership, it never helps its maker."""
    rules = ruled(**switches)
    extend = next(one for one in maneuvers(rules) if one.name == "extend")

    assert (Fraction(own), Fraction(3)) == (extend.own.value, extend.others.value)
    assert ("extension_takes_ownership" if switches else "capture_own_builds") == extend.where


def test_evidence_is_a_line_of_play() -> None:
    """The move, and the capture by another; or what the maker itself captures at once."""
    shown = {one.name: one for one in maneuvers(DEFAULT)}

    assert "A♠+A♦=2, then 2♥x[A♠A♦]; cards that are never captured go to the player who captured last" == (
        shown["build"].evidence
    )
    assert "3♦x[A♦2♦]" == shown["capture"].evidence
    assert Basis.EXACT is shown["build"].own.basis
