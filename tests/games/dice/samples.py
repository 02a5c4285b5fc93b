"""What the tests of all mechanics use of Dice Hands: rules of long runs, every kind of position, answers."""

from typing import Final

from oddsmith.games.dice import BossKind, Lock, SetWild
from tests.games.dice.builders import EASY_RULES, SCORE, after, at, build, lucky, meeting, rolled, shop

RULES: Final = {f"easy, {name}": rules for name, rules in EASY_RULES.items()}
SETTINGS: Final = ("first_target=1", "rounds=3")
ANSWERS: Final = ("k 1 2", "k 3", "s", "1 2", "l")
OPTIONS: Final = {"odds": ("--target", "98")}
POSITIONS: Final = {
    "before the roll": at(),
    "a boss is due": at(number=4),
    "a die is to be fixed": meeting(BossKind.LOCKDOWN),
    "a die is fixed": lucky(meeting(BossKind.LOCKDOWN), (2, 6)),
    "at the table": after(rolled((1, 2, 3), build("wild normal odd")), Lock(1), SetWild(0, 6)),
    "in the shop": shop(build(items="insurance", pair=2), money=9, dice="wild", items="odd_todd", free=1),
    "won": after(rolled((6,) * 5), SCORE),
    "lost": after(rolled((1, 2, 3, 5, 6)), SCORE),
}
