"""The positions that are possible for a view, listed with the weights that `imagine` draws them with."""

from collections import Counter
from typing import Any

import pytest
from tests.mechanics.subjects import EXAMPLES, random_match

from oddsmith.chance import Seeded
from oddsmith.mechanic import Mechanic

DRAWS = 1_500


def views_of(mechanic: Mechanic) -> list[Any]:
    """Return views of a short match by a seat and by a spectator."""
    game = mechanic.game
    return [game.view(ply.before, viewer) for ply in random_match(mechanic)[:8] for viewer in (0, None)]


@pytest.mark.parametrize("mechanic", EXAMPLES, ids=lambda mechanic: mechanic.name)
def test_listed_positions_are_those_that_are_imagined(mechanic: Mechanic) -> None:
    """Each has the view, the actual one is listed, and the frequencies agree within five standard errors."""
    game: Any = mechanic.game
    plies, checked = random_match(mechanic)[:8], 0
    for number, view in enumerate(views_of(mechanic)):
        listed = game.imagined_states(view, 200)
        if listed is None:
            continue
        checked += 1
        weights, total = dict(listed), sum(weight for _, weight in listed)

        assert plies[number // 2].before in weights
        assert len(weights) == len(listed)
        assert all(game.view(state, 0 if number % 2 == 0 else None) == view for state in weights)
        if 1 < len(listed) <= 60 and checked < 4:
            luck = Seeded(number)
            drawn = Counter(game.imagine(view, luck) for _ in range(DRAWS))
            assert set(drawn) <= set(weights)
            for state, weight in weights.items():
                chance = weight / total
                assert abs(drawn[state] / DRAWS - chance) <= 5 * (chance * (1 - chance) / DRAWS) ** 0.5
    assert checked


def test_equal_cards_are_counted_together() -> None:
    """The next card of the cave, of 3 fires, 3 rocks, 3 snakes and 9 gems: hidden cards are a multiset."""
    cave: Any = next(mechanic for mechanic in EXAMPLES if mechanic.name == "cave").game
    start = cave.setup(cave.rules_type(), 2)

    assert [(start, 1)] == list(cave.imagined_states(cave.view(start, 0), 10))


def test_too_many_positions_are_not_listed() -> None:
    """After a deal of two hands of five cards there are more than a hundred."""
    mechanic = next(mechanic for mechanic in EXAMPLES if mechanic.name == "hold_and_draw")
    game: Any = mechanic.game

    assert game.imagined_states(game.view(random_match(mechanic)[1].before, 0), 100) is None
