"""Names for actions and for chance nodes of any game, by which play is counted."""

import re
from enum import Enum
from typing import Any, Final

import msgspec

from oddsmith.cards import Card
from oddsmith.chance import Chance, DealHand, DealHands, Roll, Weighted
from oddsmith.position.chances import SortedRoll

LONGEST: Final = 40


def name_action(action: object) -> str:
    """Return the kind of an action: its text, the type of a structure, the number of its cards or parts.

    >>> from oddsmith.cards import cards
    >>> name_action("hold"), name_action(cards("A♠ K♦")), name_action(()), name_action(7)
    ('hold', '2 cards', 'none', '7')
    """
    match action:
        case Enum():
            return str(action.value)[:LONGEST]
        case Card():
            return "1 card"
        case msgspec.Struct():
            tag = action.__struct_config__.tag
            return tag if isinstance(tag, str) else _words(type(action).__name__)
        case list() | tuple():
            if not action:
                return "none"
            noun = "card" if all(isinstance(part, Card) for part in action) else "part"
            return f"{len(action)} {noun}{'s' if len(action) > 1 else ''}"
    return str(action)[:LONGEST]


def name_chance(chance: Chance[Any]) -> str:
    """Return the kind of a chance node.

    >>> from oddsmith.position import cards, deal, hands, one_of, roll
    >>> name_chance(roll(6)), name_chance(roll(6, 2)), name_chance(one_of("AB"))
    ('die with 6 sides', '2 dice with 6 sides', 'one of several')
    >>> name_chance(deal(cards("A♠ K♦"), 1)), name_chance(hands(cards("A♠ K♦"), 1, 1))
    ('deal of 1', 'deal of 2 hands')
    """
    match chance:
        case SortedRoll():
            return f"{chance.count} dice with {chance.sides} sides"
        case Roll():
            return f"{len(chance.dice)} dice"
        case Weighted():
            faces = tuple((face, 1) for face in range(1, len(chance.cases) + 1))
            return f"die with {len(faces)} sides" if chance.cases == faces else "one of several"
        case DealHand():
            return f"deal of {chance.size - len(chance.known)}"
        case DealHands():
            return f"deal of {len(chance.sizes)} hands"
    return _words(type(chance).__name__)


def _words(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).lower()
