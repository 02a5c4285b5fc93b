"""Bots are found by name, whatever the game."""

from collections.abc import Callable

import pytest

from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Scripted, Seeded
from oddsmith.errors import InputError
from oddsmith.games import destiny, duel
from oddsmith.records import play
from oddsmith.registry import find_game, mechanic_names


def test_every_game_has_bots_and_one_that_is_random() -> None:
    """Wherever a seat is free, something can sit down."""
    assert all("random" in bot_names(game) for game in mechanic_names())


@pytest.mark.parametrize("game", mechanic_names())
def test_a_random_bot_plays_every_game_to_its_end(game: str) -> None:
    """It is asked with views and listed actions only, and that is enough."""
    rules = find_game(game).rules_type()
    engine, draw = find_game(game), Seeded("any")
    seats = engine.seats(rules)[-1]
    choosers = [find_bot(game, "random", rules, draw=draw, seat=seat) for seat in range(seats)]
    *_, last = play(engine, engine.setup(rules, seats), choosers, Seeded("end"))

    assert "Over" == type(engine.turn(last.after)).__name__


def test_a_random_bot_takes_any_listed_action() -> None:
    """The draw decides, and nothing else."""
    bot = find_bot("destiny", "random", destiny.DEFAULT, draw=Scripted([2, 0]))

    assert ["fold", "raise"] == [bot(None, ["raise", "call", "fold"]) for _ in range(2)]


@pytest.mark.parametrize(
    ("ask", "code", "sentence"),
    [
        (
            lambda: bot_names("dual"),
            "unknown_game",
            "unknown game 'dual' — did you mean 'duel'? Known: casino, destiny, dice, duel, fate",
        ),
        (
            lambda: find_bot("duel", "best_trader", duel.DEFAULT, draw=Scripted([])),
            "unknown_bot",
            "unknown bot 'best_trader' of duel — did you mean 'best_trade'? Known: random, all_attack, all_defense, best_trade, optimal",
        ),
        (
            lambda: find_bot("duel", "optimal", duel.DEFAULT, draw=Scripted([]), objective="golds"),
            "unknown_objective",
            "unknown objective 'golds' — did you mean 'gold'? Known: win, gold, experience, score",
        ),
        (
            lambda: find_bot("duel", "optimal", destiny.DEFAULT, draw=Scripted([])),
            "wrong_rules",
            "a bot of duel needs its rules, not those of destiny",
        ),
    ],
)
def test_what_is_unknown_is_refused_with_what_was_meant(
    ask: Callable[[], object], code: str, sentence: str
) -> None:
    """A refusal has a code and a sentence that names what there is."""
    with pytest.raises(InputError) as caught:
        ask()

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
