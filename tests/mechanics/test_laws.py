"""Every mechanic keeps every law of the kit, with each preset, each of its sample rules, and any number of seats."""

from typing import Final

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError
from oddsmith.game import Await, Luck
from oddsmith.laws import LAWS, check_game
from oddsmith.mechanic import Mechanic
from tests.mechanics.subjects import NAMES, SUBJECTS, positions_of, random_match, rulesets_of

PLAYOUTS: Final = 3
"""Playouts take the numbers of seats in turn, from the fewest on."""
OUTCOMES: Final = 50
"""Nodes with more outcomes are sampled; a game counts them where that is worth a test of its own."""
CASES: Final = [(mechanic.name, label) for mechanic in SUBJECTS for label in rulesets_of(mechanic)]


@pytest.mark.parametrize(("name", "label"), CASES)
def test_every_law_holds(mechanic: Mechanic, label: str) -> None:
    """Each law is asked in every random game."""
    rules = rulesets_of(mechanic)[label]
    report = check_game(mechanic.game, rules, playouts=PLAYOUTS, outcomes=OUTCOMES)

    assert [*LAWS] == [held.law for held in report.laws]
    assert {PLAYOUTS} == {held.playouts for held in report.laws}


@pytest.mark.parametrize("name", NAMES)
def test_as_many_play_as_the_rules_say(mechanic: Mechanic) -> None:
    """Nobody, one too few and one too many are refused."""
    game, rules = mechanic.game, mechanic.game.rules_type()
    seats = game.seats(rules)
    for count in {-1, 0, seats[0] - 1, seats[-1] + 1}:
        with pytest.raises(InputError) as caught:
            game.setup(rules, count)

        assert "bad_seats" == caught.value.refusal.code
        assert caught.value.refusal.sentence.endswith(f", not {count}")


@pytest.mark.parametrize("name", NAMES)
def test_luck_comes_only_when_it_is_due(mechanic: Mechanic) -> None:
    """What luck has decided is refused where a seat must choose, and where the game is over."""
    game, plies = mechanic.game, random_match(mechanic)
    luck = next(ply.move for ply in plies if isinstance(ply.move, Luck))
    choices = [ply.before for ply in plies if not isinstance(game.turn(ply.before), Await)]
    for state in (choices[0], choices[-1], plies[-1].after):
        with pytest.raises(IllegalMove) as caught:
            game.step(state, luck)

        assert caught.value.refusal.sentence


@pytest.mark.parametrize("name", NAMES)
def test_a_viewer_imagines_what_it_sees(mechanic: Mechanic) -> None:
    """An imagined state looks the same, has the same cards and allows the same."""
    game = mechanic.game
    for label, state, seats in positions_of(mechanic):
        for viewer in (*range(seats), None):
            seen = game.view(state, viewer)
            for seed in range(3):
                imagined = game.imagine(seen, Seeded(seed))

                assert seen == game.view(imagined, viewer), label
                assert sorted(map(str, game.cards(state))) == sorted(map(str, game.cards(imagined)))
                assert type(game.turn(state)) is type(game.turn(imagined))
                if viewer is not None:
                    assert game.actions(state, viewer) == game.actions(imagined, viewer)
