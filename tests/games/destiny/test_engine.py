"""The Destiny Deck as a game: seats and possible luck."""

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
    """One seat is a run, two are a contest; other numbers are refused."""
    assert range(1, 3) == GAME.seats(DEFAULT)


def test_the_draw_has_all_hands() -> None:
    """The chance law counts each of the 2,598,960 hands."""
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
    """Impossible luck is refused: an outcome is five different cards, sorted."""
    waiting = act(run(), Attempt("pickpocket")).state

    assert "impossible_luck" == refusal(lambda: GAME.step(waiting, Luck(held)), IllegalMove).code


def test_the_clock_rests_or_chooses() -> None:
    """Before an outlaw is chosen, it makes any choice."""
    begun = GAME.setup(DEFAULT, 1)

    assert [Rest()] == [*GAME.overdue(run(), 0)]
    assert GAME.actions(begun, 0) == GAME.overdue(begun, 0)
