"""What a viewer knows: everything (§8)."""

import pytest

from oddsmith.chance import Scripted
from oddsmith.games.dice import DEFAULT, GAME, BossKind, Build, Lock, SetWild, State
from oddsmith.games.dice.model import Stage, Stock
from oddsmith.games.dice.views import View
from tests.games.dice.builders import SCORE, after, at, build, lucky, meeting, rolled, shop

STATES = {
    "before the roll": at(),
    "a boss is due": at(number=4),
    "a die is to be fixed": meeting(BossKind.LOCKDOWN),
    "a die is fixed": lucky(meeting(BossKind.LOCKDOWN), (2, 6)),
    "at the table": after(rolled((1, 2, 3), build("wild normal odd")), Lock(1), SetWild(0, 6)),
    "in the shop": shop(build(items="insurance", pair=2), money=9, dice="wild", items="odd_todd", free=1),
    "won": after(rolled((6,) * 5), SCORE),
    "lost": after(rolled((1, 2, 3, 5, 6)), SCORE),
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("viewer", [0, None])
def test_nothing_is_hidden(state: State, viewer: int | None) -> None:
    """What is imagined from a view is the state itself, without luck."""
    assert state == GAME.imagine(GAME.view(state, viewer), Scripted([]))


def test_a_view_tells_the_target() -> None:
    """And all that the player may look at, field by field."""
    state = STATES["at the table"]

    assert View(
        viewer=0,
        rules=DEFAULT,
        build=Build(dice=build("wild normal odd").dice),
        money=0,
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
