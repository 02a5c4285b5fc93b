"""The Destiny Deck as a game: whom it is for, and what luck may decide."""

import pytest

from oddsmith.errors import IllegalMove
from oddsmith.game import Luck
from oddsmith.games.destiny import (
    DEFAULT,
    DRAW,
    GAME,
)
from oddsmith.games.destiny.model import (
    Attempt,
    Hand,
    Rest,
)
from oddsmith.laws import check_game
from tests.games.destiny.builders import (
    ROYAL_FLUSH,
    act,
    hand,
    refusal,
    run,
)


def test_8_6_one_or_two_seats() -> None:
    """One runs, two contend; nobody else."""
    assert range(1, 3) == GAME.seats(DEFAULT)


def test_the_draw_promises_all_hands() -> None:
    """The chance law with every one of the 2,598,960 hands counted."""
    assert 1 == check_game(GAME, seats=2, playouts=1).playouts
    assert 2_598_960 == DRAW.total


@pytest.mark.parametrize(
    "held",
    [
        ROYAL_FLUSH[::-1],
        ROYAL_FLUSH[:4],
        (*ROYAL_FLUSH[:4], ROYAL_FLUSH[3]),
        (*ROYAL_FLUSH, hand("2♠")[0]),
        (),
    ],
    ids=["unsorted", "four", "twice", "six", "none"],
)
def test_1_1_luck_is_a_hand_of_the_deck(held: Hand) -> None:
    """What cannot be drawn is refused: one hand is one outcome, five different cards, sorted."""
    waiting = act(run(), Attempt("pickpocket")).state

    assert "impossible_luck" == refusal(lambda: GAME.step(waiting, Luck(held)), IllegalMove).code


def test_who_is_late_rests() -> None:
    """Before an outlaw is chosen, any choice will do."""
    begun = GAME.setup(DEFAULT, 1)

    assert [Rest()] == [*GAME.overdue(run(), 0)]
    assert GAME.actions(begun, 0) == GAME.overdue(begun, 0)
