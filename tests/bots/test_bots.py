"""Bots are found by name, whatever the game."""

from collections.abc import Callable

import pytest

from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Scripted
from oddsmith.errors import InputError
from oddsmith.games import destiny, duel


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
