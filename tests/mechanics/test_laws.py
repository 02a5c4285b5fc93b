"""Every mechanic keeps every law of the kit, with each preset and sample ruleset, for any number of seats."""

import os
from typing import Final

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove, InputError
from oddsmith.game import Await, Luck
from oddsmith.laws import LAWS, check_game
from oddsmith.mechanic import Mechanic
from tests.mechanics.subjects import NAMES, SUBJECTS, positions_of, random_match, rulesets_of

PLAYOUTS: Final = 100 if os.environ.get("HYPOTHESIS_PROFILE") == "long" else 3
"""Playouts use the numbers of seats in turn, from the fewest on."""
MANY_SEATS: Final = 6
"""From this number of seats on, one playout is as long as several of other matches, and is enough."""
OUTCOMES: Final = 50
"""Nodes with more outcomes are sampled; games count them in their own tests where needed."""
CASES: Final = [(mechanic.name, label) for mechanic in SUBJECTS for label in rulesets_of(mechanic)]


@pytest.mark.sweep
@pytest.mark.parametrize(("name", "label"), CASES)
def test_every_law_holds(mechanic: Mechanic, label: str) -> None:
    """Each law is checked in every random game."""
    rules = rulesets_of(mechanic)[label]
    playouts = PLAYOUTS if mechanic.game.seats(rules).start < MANY_SEATS else 1
    report = check_game(mechanic.game, rules, playouts=playouts, outcomes=OUTCOMES)

    assert [*LAWS] == [held.law for held in report.laws]
    assert {playouts} == {held.playouts for held in report.laws}


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_limit_the_number_of_seats(mechanic: Mechanic) -> None:
    """No seats, one too few and one too many are refused."""
    game, rules = mechanic.game, mechanic.game.rules_type()
    seats = game.seats(rules)
    for count in {-1, 0, seats[0] - 1, seats[-1] + 1}:
        with pytest.raises(InputError) as caught:
            game.setup(rules, count)

        assert "bad_seats" == caught.value.refusal.code
        assert caught.value.refusal.sentence.endswith(f", not {count}")


@pytest.mark.parametrize("name", NAMES)
def test_luck_out_of_turn_is_refused(mechanic: Mechanic) -> None:
    """Where a seat must choose, and after the end."""
    game, plies = mechanic.game, random_match(mechanic)
    luck = next(ply.move for ply in plies if isinstance(ply.move, Luck))
    choices = [ply.before for ply in plies if not isinstance(game.turn(ply.before), Await)]
    for state in (choices[0], choices[-1], plies[-1].after):
        with pytest.raises(IllegalMove) as caught:
            game.step(state, luck)

        assert caught.value.refusal.sentence


@pytest.mark.parametrize("name", NAMES)
def test_an_imagined_state_agrees_with_the_view(mechanic: Mechanic) -> None:
    """It has the same view, the same cards and the same actions."""
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
