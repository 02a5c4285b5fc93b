"""What cards are worth to attack and to defend with (§1, §2): the one place where these rules stand."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from typing import Final

from oddsmith.cards import Card
from oddsmith.games.duel.model import Power
from oddsmith.games.duel.rules import DEFAULT, EmptySide, Fighter, Rules
from oddsmith.poker import FULL_HAND, HandRank, classify

SPLITS: Final[tuple[tuple[bool, ...], ...]] = tuple(
    tuple(bool(number >> place & 1) for place in range(FULL_HAND)) for number in range(2**FULL_HAND)
)
"""The 32 ways to split a hand: for each card whether it defends; the first is all attack."""


def skill_modifier(skill: int, rules: Rules = DEFAULT) -> int:
    """Return what a skill adds to both sides, rounded down (§2.1).

    >>> [skill_modifier(skill) for skill in (0, 10, 30, 50, 70, 100)]
    [0, 3, 9, 15, 21, 30]
    """
    share, of = rules.skill_share.as_integer_ratio()
    return skill * share // of


def attack(held: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT) -> Power:
    """Return the attack that some cards make (§2.2).

    >>> from oddsmith.cards import cards
    >>> attack(cards("10♠ A♦ 7♥"), Fighter(weapon=5, armor=3, skill=30)).total
    42
    """
    rank = _rank(tuple(held))
    return _power(held, rank, rules.hand_bonuses[rank], fighter.weapon, fighter, rules.least_attack, rules)


def defense(held: Sequence[Card], fighter: Fighter, rules: Rules = DEFAULT) -> Power:
    """Return the defense that some cards make (§2.3).

    >>> from oddsmith.cards import cards
    >>> defense(cards("5♣ 3♠"), Fighter(weapon=5, armor=3, skill=30)).total
    20
    """
    rank = _rank(tuple(held))
    return _power(held, rank, rules.defense_bonuses[rank], fighter.armor, fighter, rules.least_defense, rules)


@lru_cache(maxsize=2**14)
def _rank(held: tuple[Card, ...]) -> HandRank:
    """Name the hand, once for all rules that ask about it."""
    return classify(held).rank


def _power(  # noqa: PLR0917  attack and defense differ in these and in nothing else
    held: Sequence[Card], rank: HandRank, bonus: int, gear: int, fighter: Fighter, least: int, rules: Rules
) -> Power:
    values = rules.values
    worth = sum([values[known.number] for known in held])
    skill = skill_modifier(fighter.skill, rules)
    nothing = not held and rules.empty_side is EmptySide.NOTHING
    total = 0 if nothing else max(least, worth + gear + skill + bonus)
    return Power(cards=tuple(held), rank=rank, values=worth, bonus=bonus, gear=gear, skill=skill, total=total)


def damage(attacking: int, defending: int, least: int) -> int:
    """Return what an attack does to a defense (§2.6).

    >>> damage(42, 10, 1), damage(25, 20, 0), damage(12, 20, 0), damage(12, 20, 1)
    (32, 5, 0, 1)
    """
    return max(least, attacking - defending)


def split(hand: Sequence[Card], defends: Sequence[bool]) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the attacking and the defending cards of a split.

    >>> from oddsmith.cards import cards
    >>> split(cards("10♠ 7♥ 5♣ A♦ 3♠"), (False, False, True, False, True))[1]
    (card('5♣'), card('3♠'))
    """
    return tuple(compress(hand, [not defending for defending in defends])), tuple(compress(hand, defends))
