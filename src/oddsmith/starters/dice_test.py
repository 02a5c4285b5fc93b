"""Tests of New Game: the laws of every game, and its own rules."""

from oddsmith import check_game
from oddsmith.starters.dice import MECHANIC, NewGame, NewGameRules


def test_every_law_holds() -> None:
    report = check_game(MECHANIC.game, playouts=10)

    assert report.playouts == 10


def test_a_1_loses_the_points_of_the_turn() -> None:
    position = NewGame(rules=NewGameRules(), seats=2)
    rolling = position.after(scores=(9, 0), pot=7, rolling=True)
    after = rolling.luck(1)

    assert (after.scores, after.pot, after.seat) == ((9, 0), 0, 1)
