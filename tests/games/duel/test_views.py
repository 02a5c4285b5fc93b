"""What a view of the Combat Duel shows, and the states that it can imagine (§3.4, §3.5, §7.1).

Secrecy between players is in test_players.
"""

import pytest

from oddsmith.chance import Scripted, Seeded
from oddsmith.game import Luck
from oddsmith.games.duel import GAME, Result
from oddsmith.games.duel.model import Ending, Plan
from oddsmith.games.duel.views import SideView, View, house_attack
from tests.games.duel.builders import (
    EXAMPLE_HAND,
    EXAMPLE_HOUSE,
    FIGHT,
    LOW,
    ROYAL,
    act,
    deal,
    hand,
    round_with_house,
)
from tests.games.duel.samples import HIDDEN, POSITIONS


@pytest.mark.parametrize("name", ["the player chooses", "with a selection", "round 2", "won"])
@pytest.mark.parametrize("viewer", [0, None])
def test_3_4_the_only_state_imagined_with_an_open_house_is_the_real_one(
    name: str, viewer: int | None
) -> None:
    """Also for a spectator."""
    state = POSITIONS[name]

    assert state == GAME.imagine(GAME.view(state, viewer), Scripted([]))


def test_3_4_view_of_an_open_house() -> None:
    """Hit points, used cards, hand and split of both sides."""
    state = POSITIONS["with a selection"]

    assert View(
        viewer=0,
        rules=state.rules,
        house=True,
        round=1,
        sides=(
            SideView(
                hp=100,
                discard=(),
                dealt=True,
                committed=False,
                hand=hand(EXAMPLE_HAND),
                attack=(),
                defense=(0, 3),
                selections=1,
            ),
            SideView(
                hp=80,
                discard=(),
                dealt=True,
                committed=True,
                hand=hand(EXAMPLE_HOUSE),
                attack=(1, 2, 3),
                defense=(0, 4),
                selections=0,
                plan=Plan.FIGHT,
            ),
        ),
        result=None,
    ) == GAME.view(state, 0)


def test_3_5_a_hidden_house_is_imagined_by_its_rules() -> None:
    """Any remaining hand, attacking with its highest cards, in a possible number."""
    used = act(round_with_house("6♠ 8♠ 9♥ 3♣ 2♦", LOW, HIDDEN, count=1), FIGHT).state
    ready = GAME.step(deal(used, EXAMPLE_HOUSE.replace("5♣", "5♦").replace("4♠", "6♠")), Luck(2)).state
    seen = GAME.view(ready, 0)
    imagined = [GAME.imagine(seen, Seeded(seed)).sides[1] for seed in range(60)]

    assert {1, 2, 3, 4} == {len(house.attack) for house in imagined}
    assert all(house_attack(house.hand, len(house.attack)) == house.attack for house in imagined)
    assert not any(set(house.hand) & set(hand(LOW)) for house in imagined)


def test_7_1_a_committed_rival_is_imagined_with_any_split() -> None:
    """All 32 of them; never a flight."""
    seen = GAME.view(POSITIONS["players, one commitment"], 1)
    rivals = [GAME.imagine(seen, Seeded(seed)).sides[0] for seed in range(400)]

    assert 32 == len({rival.attack for rival in rivals})
    assert {Plan.FIGHT} == {rival.plan for rival in rivals}
    assert all(sorted((*rival.attack, *rival.defense)) == [0, 1, 2, 3, 4] for rival in rivals)


def test_7_1_after_the_end_everything_is_open() -> None:
    """Except after a flight."""
    won, fled = POSITIONS["players, won"], POSITIONS["players, fled"]

    assert [hand(ROYAL), hand(LOW)] == [side.hand for side in GAME.view(won, None).sides]
    assert [None, None] == [side.hand for side in GAME.view(fled, None).sides]
    assert Result(why=Ending.FLIGHT, winner=1) == GAME.view(fled, None).result
