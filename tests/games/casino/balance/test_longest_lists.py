"""Tables on which a hand has the most moves (§4.8)."""

import pytest

from oddsmith.cards import cards
from oddsmith.games.casino.figures import count_moves, full_table, hill_climb, worst_hand
from oddsmith.games.casino.model import MoveKind, value_of
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.rules import DEFAULT, Rules
from tests.games.casino.tables import table

pytestmark = pytest.mark.usefixtures("plain")


@pytest.mark.parametrize(("preset", "moves"), [("seed", 6_848), ("short", 6_796), ("traditional", 6_844)])
def test_4_8_a_hand_of_four_with_all_other_cards_loose(preset: str, moves: int) -> None:
    """The hand has four high cards."""
    made = full_table(4, Rules.preset(preset))

    assert moves == count_moves(made)
    assert {10} == set(map(value_of, made.hands[0]))


def test_4_8_the_length_is_that_of_the_list() -> None:
    """For a table that is small enough to be listed."""
    small = table("A♠ 2♠ 3♠ 4♠ 7♥", "7♦ 3♥ K♠", builds=["2♦ 5♦ of 1"])

    assert len(legal_moves(small)) == count_moves(small)


def test_4_8_no_other_hand_of_one_card_has_more_moves() -> None:
    """One card of each value with all others loose: a card of value 10 has the most captures and builds."""
    kinds = (MoveKind.CAPTURE, MoveKind.BUILD)
    counts = {}
    for held in cards("A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠"):
        loose = " ".join(str(card) for card in DEFAULT.cards if card != held)
        counts[value_of(held)] = sum(move.kind in kinds for move in legal_moves(table(loose, str(held))))

    assert (0,) * 9 + (1,) == worst_hand(1, DEFAULT)
    assert 10 == max(counts, key=lambda value: counts[value])


def test_4_8_the_search_never_shortens_a_list() -> None:
    """A random change of the table is kept only if it has at least as many moves."""
    start = table("", "7♦ 9♥")
    better = hill_climb(start, tries=40)

    assert count_moves(start) < count_moves(better)
    assert sorted(DEFAULT.cards) == sorted((*better.hands[0], *better.loose, *better.stock))
