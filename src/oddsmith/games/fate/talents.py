"""Talents: which fire in a check, and what they do to its cards and its total (§4.5 to §4.8).

The engine and the odds both ask these functions.
"""

from collections.abc import Sequence
from typing import NamedTuple

from oddsmith.games.fate.checks import card_faces, combine_values
from oddsmith.games.fate.effects import AddToTotal, DrawMore, LookAtTop, RedrawFailure, TalentEffect
from oddsmith.games.fate.rule_types import NO_TARGET, Target
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.triggers import fires


class FurtherDraws(NamedTuple):
    """The cards that talents draw: `again` replace those of the check, `more` count with them."""

    again: int
    more: int

    @property
    def cards(self) -> int:
        """The number of cards."""
        return self.again + self.more


def fired_talents(cards: Sequence[str], talents: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """Return those of a player's talents that fire with the cards of its check, in their order (§4.6).

    >>> rules = Rules.preset("adventure")
    >>> blade = rules.talents_of(1)
    >>> fired_talents(("3♠", "RJ"), blade, rules), fired_talents(("3♠", "A♥"), blade, rules)
    (('keen_edge', 'death_blow'), ('keen_edge',))
    """
    if not talents:
        return ()
    faces = card_faces(cards, rules)
    return tuple(name for name in talents if fires(rules.talents[name].expression, faces))


def effects_of(fired: Sequence[str], rules: Rules) -> list[tuple[str, TalentEffect]]:
    """Return the talents that fired, each with its effect."""
    return [(name, rules.talents[name].effect) for name in fired]


def total_bonus(fired: Sequence[str], rules: Rules) -> int:
    """Return what talents that fired add to the total."""
    return sum(effect.amount for _, effect in effects_of(fired, rules) if isinstance(effect, AddToTotal))


def further_draws(
    cards: Sequence[str], fired: Sequence[str], rules: Rules, *, modifier: int, target: Target
) -> FurtherDraws:
    """Return which cards talents that fired draw: all again where the total falls short, then some more (§4.7).

    >>> rules = Rules.preset("adventure")
    >>> further_draws(("A♠", "A♥"), ("turn_the_tide",), rules, modifier=0, target=4)
    FurtherDraws(again=2, more=0)
    """
    effects = [effect for _, effect in effects_of(fired, rules)]
    redraws = any(isinstance(effect, RedrawFailure) for effect in effects) and (
        target != NO_TARGET and total_with_talents(cards, fired, rules, modifier=modifier) < target
    )
    more = sum(effect.cards for effect in effects if isinstance(effect, DrawMore))
    return FurtherDraws(len(cards) * redraws, more)


def total_with_talents(cards: Sequence[str], fired: Sequence[str], rules: Rules, *, modifier: int) -> int:
    """Return the total of cards with the modifier and with what talents that fired add."""
    values = [face.value for face in card_faces(cards, rules)]
    return combine_values(values, rules.combine) + modifier + total_bonus(fired, rules)


def cards_looked_at(fired: Sequence[str], rules: Rules) -> int:
    """Return how many top cards talents that fired let the player see after the check."""
    return sum(effect.cards for _, effect in effects_of(fired, rules) if isinstance(effect, LookAtTop))
