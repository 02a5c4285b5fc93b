"""Tests of New Game: the laws of every game, and its own rules."""

from oddsmith import check_game
from oddsmith.starters.simultaneous import MECHANIC, NewGame, NewGameRules


def test_every_law_holds() -> None:
    report = check_game(MECHANIC.game, playouts=10)

    assert report.playouts == 10


def test_the_highest_number_that_is_alone_takes_the_prize() -> None:
    position = NewGame(rules=NewGameRules(), seats=3)
    named = position.after(named=(5, 5, 2), scores=(0, 0, 0), prize=4)

    assert named.decided().scores == (0, 0, 4)
