"""Bots are found by name for any game."""

from collections.abc import Callable

import pytest

from oddsmith.bots import bot_names, find_bot
from oddsmith.chance import Scripted
from oddsmith.errors import InputError
from oddsmith.games import destiny, duel


def test_a_random_bot_takes_any_listed_action() -> None:
    """Only the draw decides."""
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
            "unknown bot 'best_trader' of duel — did you mean 'best_trade'? Known: random, all_attack, all_defense, best_trade, optimal, four_one, balanced, defensive",
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
def test_unknown_names_are_refused_with_a_suggestion(
    ask: Callable[[], object], code: str, sentence: str
) -> None:
    """The sentence lists the known ones."""
    with pytest.raises(InputError) as caught:
        ask()

    assert (code, sentence) == (caught.value.refusal.code, caught.value.refusal.sentence)
