"""Tests of New Game: the laws of every game, and its own rules."""

from oddsmith import check_game
from oddsmith.position import cards
from oddsmith.starters.hidden import MECHANIC, NewGame, NewGameRules


def test_every_law_holds() -> None:
    report = check_game(MECHANIC.game, playouts=10)

    assert report.playouts == 10


def test_the_highest_card_that_stays_takes_what_the_others_lose() -> None:
    shown = (cards("A♠"), cards("K♠"), cards("2♠"))
    position = NewGame(rules=NewGameRules(), seats=3)
    over = position.after(shown=shown, said=("fold", "stay", "stay"))

    assert over.scores() == (-1, 4, -3)
