"""Samples of Dice Hands for the tests of all mechanics: rules of long runs, positions, requests."""

from typing import Final

from oddsmith.games.dice import BossKind, Lock, SetWild
from tests.games.dice.builders import (
    EASY_RULES,
    SCORE,
    apply_luck,
    boss_round,
    build,
    first_roll,
    round_start,
    shop,
    state_after,
)

RULES: Final = {f"easy, {name}": rules for name, rules in EASY_RULES.items()}
SETTINGS: Final = ("first_target=1", "rounds=3")
ANSWERS: Final = ("k 1 2", "k 3", "s", "1 2", "l")
OPTIONS: Final = {"odds": ("--target", "98")}
POSITIONS: Final = {
    "before the roll": round_start(),
    "a boss is due": round_start(number=4),
    "a die is to be fixed": boss_round(BossKind.LOCKDOWN),
    "a die is fixed": apply_luck(boss_round(BossKind.LOCKDOWN), (2, 6)),
    "at the table": state_after(first_roll((1, 2, 3), build("wild normal odd")), Lock(1), SetWild(0, 6)),
    "in the shop": shop(build(items="insurance", pair=2), money=9, dice="wild", items="odd_todd", free=1),
    "won": state_after(first_roll((6,) * 5), SCORE),
    "lost": state_after(first_roll((1, 2, 3, 5, 6)), SCORE),
}
