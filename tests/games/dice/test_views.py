"""Views of Dice Hands show everything (§8)."""

import pytest

from oddsmith.chance import Scripted
from oddsmith.games.dice import DEFAULT, GAME, Build, State
from oddsmith.games.dice.model import Stage, Stock
from oddsmith.games.dice.views import View
from tests.games.dice.builders import build
from tests.games.dice.samples import POSITIONS


@pytest.mark.parametrize("state", POSITIONS.values(), ids=POSITIONS)
@pytest.mark.parametrize("viewer", [0, None])
def test_nothing_is_hidden(state: State, viewer: int | None) -> None:
    """The state imagined from a view is the real one, without luck."""
    assert state == GAME.imagine(GAME.view(state, viewer), Scripted([]))


def test_a_view_has_the_target() -> None:
    """And all that the player may see, field by field."""
    state = POSITIONS["at the table"]

    assert View(
        viewer=0,
        rules=DEFAULT,
        build=Build(dice=build("wild normal odd").dice),
        money=0,
        points=0,
        round=1,
        target=40,
        stage=Stage.CHOOSE,
        boss=None,
        fixed=None,
        faces=(6, 2, 3),
        locked=(1,),
        wilds_set=(0,),
        rerolls=3,
        adjustments=2,
        score=None,
        stock=Stock(),
        result=None,
    ) == GAME.view(state, 0)
