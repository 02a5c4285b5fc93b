"""Bots of every mechanic are found by name, play to the end, and use only their view."""

from typing import Final

import pytest

from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Seeded
from oddsmith.errors import InputError
from oddsmith.game import Decide, Over
from oddsmith.mechanic import Mechanic
from oddsmith.records import play
from oddsmith.rules import Ruleset
from tests.mechanics.subjects import NAMES, SUBJECTS, random_match, seats_of, settings_of

QUICK: Final = [
    (mechanic.name, bot.name) for mechanic in SUBJECTS for bot in mechanic.bots.values() if not bot.is_slow
]
CHOICES: Final = 20
ITERATIONS: Final = 4


class OtherRules(Ruleset, frozen=True, kw_only=True):
    """Rules of no mechanic."""

    game = "other"


@pytest.mark.parametrize("name", NAMES)
def test_every_mechanic_has_bots_and_a_random_one(mechanic: Mechanic) -> None:
    """An unknown bot and rules of another game are refused."""
    rules = mechanic.game.rules_type()

    assert "random" in bot_names(mechanic.name)
    with pytest.raises(InputError, match=f"unknown bot 'nobody' of {mechanic.name}"):
        find_bot(mechanic.name, "nobody", rules, draw=Seeded("any"))
    for bot in bot_names(mechanic.name):
        with pytest.raises(InputError) as caught:
            find_bot(mechanic.name, bot, OtherRules(), draw=Seeded("any"))

        assert "wrong_rules" == caught.value.refusal.code


@pytest.mark.parametrize(("name", "bot"), QUICK)
def test_a_bot_plays_to_the_end(mechanic: Mechanic, bot: str) -> None:
    """It gets only views and listed actions."""
    game, luck, seats = mechanic.game, Seeded("end"), seats_of(mechanic)
    rules = game.rules_type().with_settings(settings_of(mechanic))
    bots = [
        find_bot(mechanic.name, bot, rules, draw=Seeded(seat), seat=seat, iterations=ITERATIONS)
        for seat in range(seats)
    ]
    *_, last = play(game, game.setup(rules, seats), bots, luck)

    assert isinstance(game.turn(last.after), Over)


@pytest.mark.parametrize(("name", "bot"), QUICK)
def test_a_choice_depends_only_on_the_view_and_the_bots_luck(mechanic: Mechanic, bot: str) -> None:
    """In a match with the same view it makes the same choice, from the list."""
    game, checked = mechanic.game, 0
    rules = game.rules_type().with_settings(settings_of(mechanic))
    for ply in random_match(mechanic):
        turn = game.turn(ply.before)
        if not isinstance(turn, Decide) or checked == CHOICES:
            continue
        checked += 1
        seat = turn.seats[0]
        actions = game.actions(ply.before, seat)
        other = game.imagine(game.view(ply.before, seat), Seeded(f"elsewhere {checked}"))
        chosen = [
            find_bot(mechanic.name, bot, rules, draw=Seeded("own"), seat=seat, iterations=ITERATIONS)(
                game.view(state, seat), game.actions(state, seat)
            )
            for state in (ply.before, other)
        ]

        assert chosen[0] in actions
        assert chosen[0] == chosen[1]
    assert checked
