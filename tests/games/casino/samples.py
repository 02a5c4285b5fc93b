"""Samples of Casino for the tests of all mechanics: rules with other switches, and tables of any cards."""

from itertools import cycle
from random import Random
from typing import Final

from oddsmith.games.casino.rules import Rules
from tests.games.casino.strategies import random_table
from tests.games.casino.tables import SHORT, rules_with

RULES: Final = {
    "house": rules_with(
        capture_targets=3,
        capture_own_builds=True,
        extend_own_builds=True,
        extension_takes_ownership=True,
        trail_restriction="never",
    ),
    "one card a capture": SHORT.replace(two_card_capture=False),
}
SETTINGS: Final = ('deck="short"',)
OPTIONS: Final = {"classify": ("7♠ 3♦",)}
ANSWERS: Final = ("1", "1", "1")
ENDING: Final = ("1",)
SEATS: Final = 2
POSITIONS: Final = {
    f"table {number}": random_table(Random(number), rules, number % 10, number % 3 == 0)
    for number, rules in zip(range(40), cycle([*Rules.presets().values(), *RULES.values()]), strict=False)
}
