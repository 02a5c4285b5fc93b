"""What a coach says: how much each ability adds to the chance that the next check goes well (§7.4)."""

from fractions import Fraction

import msgspec

from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import check_odds
from oddsmith.games.fate.rules import NO_TARGET, Ability, Rules
from oddsmith.games.fate.triggers import Trigger
from oddsmith.games.fate.values import ability_values, uncounted_abilities

__all__ = ["AbilitiesReply", "AbilityWorth", "UncountedAbility", "abilities_reply"]


class AbilityWorth(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities used together on so many cards: the chance that the check goes well with them, and what they add."""

    abilities: tuple[Ability, ...]
    cards: int
    chance: Fraction
    gain: Fraction


class UncountedAbility(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities that could be used together on so many cards, with too many ways to count."""

    abilities: tuple[Ability, ...]
    cards: int


class AbilitiesReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each ability adds to the chance of the next check, the most first.

    A check goes well when it reaches its target and its trigger fires, as far as it has them. `uncounted` are the
    abilities of which no chance can be told.
    """

    rules_id: str
    memory: Memory
    drawn: int
    modifier: int
    target: int | None
    trigger: str | None
    chance: Fraction
    abilities: tuple[AbilityWorth, ...]
    uncounted: tuple[UncountedAbility, ...]


def abilities_reply(
    memory: Memory,
    rules: Rules,
    *,
    count: int,
    modifier: int,
    target: int | None,
    text: str | None,
    trigger: Trigger | None,
) -> AbilitiesReply:
    """Rank abilities by what they add; `text` is what the trigger was read from.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> found = abilities_reply(fresh_memory(), Rules(), count=2, modifier=0, target=4, text=None, trigger=None)
    >>> found.chance, found.abilities[0].chance
    (Fraction(56, 153), Fraction(269, 408))
    """
    found = ability_values(
        memory,
        rules,
        count=count,
        modifier=modifier,
        target=NO_TARGET if target is None else target,
        trigger=trigger,
    )
    return AbilitiesReply(
        rules_id=rules.rules_id,
        memory=memory,
        drawn=count,
        modifier=modifier,
        target=target,
        trigger=text,
        chance=_goes_well(memory, rules, count=count, modifier=modifier, target=target, trigger=trigger),
        abilities=tuple(
            AbilityWorth(abilities=one.abilities, cards=one.count, chance=one.after, gain=one.gain)
            for one in found
        ),
        uncounted=tuple(
            UncountedAbility(abilities=abilities, cards=cards)
            for abilities, cards in uncounted_abilities(memory, rules, count=count)
        ),
    )


def _goes_well(
    memory: Memory,
    rules: Rules,
    *,
    count: int,
    modifier: int,
    target: int | None,
    trigger: Trigger | None,
) -> Fraction:
    """Return the chance of the next check without any ability."""
    made = check_odds(
        memory, rules, count=count, modifier=modifier, triggers=() if trigger is None else (trigger,)
    )
    if target is None:
        return made.fires(0)
    return made.at_least(target) if trigger is None else made.both(target, 0)
