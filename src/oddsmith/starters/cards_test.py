"""Tests of New Game: the laws of every game, and its own rules."""

from oddsmith import check_game
from oddsmith.position import cards
from oddsmith.starters.cards import MECHANIC, NewGame, NewGameRules


def test_every_law_holds() -> None:
    report = check_game(MECHANIC.game, playouts=10)

    assert report.playouts == 10


def test_a_right_guess_is_a_point() -> None:
    position = NewGame(rules=NewGameRules(), seats=1)
    guessed = position.after(scores=(0,), row=cards("7♠"), guess="higher")

    assert guessed.luck(cards("8♥")).scores == (1,)
    assert guessed.luck(cards("6♥")).scores == (0,)
