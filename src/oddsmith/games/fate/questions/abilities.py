"""The question about abilities: what each adds to the chance of the next check (§7.4)."""

from fractions import Fraction
from typing import Annotated, Final

import msgspec

from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.known_decks import (
    CheckName,
    Count,
    Deck,
    DeckFile,
    KnownCheck,
    Modifier,
    Player,
    Target,
    WantedTrigger,
    read_check,
)
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.odds import Certainty, CheckOdds, certainty_of, check_odds
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.values import ability_values, uncounted_abilities
from oddsmith.question import Context, Question, Request
from oddsmith.reply_figures import CHANCE, NO_FIGURE


class AbilitiesRequest(Request, frozen=True, kw_only=True):
    """A check as that of the question `check`, whose player may use abilities; a `check` of the rules has its trigger."""

    count: Count = None
    target: Target = None
    modifier: Modifier = 0
    trigger: WantedTrigger = None
    deck: Deck = None
    deck_file: DeckFile = None
    memory: Memory | None = None
    on_turn: bool = True
    player: Player = None
    check: CheckName = None


class AbilityGain(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities used together on `cards` cards: the chance that the check goes well with them, and what they add."""

    abilities: tuple[Ability, ...]
    cards: Annotated[int, NO_FIGURE]
    chance: Annotated[Fraction, CHANCE]
    gain: Annotated[Fraction, CHANCE]


class UncountedAbility(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities that can be used together on `cards` cards, with too many ways to count."""

    abilities: tuple[Ability, ...]
    cards: int


class AbilitiesReply(msgspec.Struct, frozen=True, kw_only=True):
    """What each ability adds to the chance of the next check, the most first.

    A check goes well when it reaches its target and its trigger fires, as far as it has them. `uncounted` are the
    abilities with too many ways to count. With a player, its talents are counted; `certainty` says what the chances are
    (§7.9).
    """

    rules_id: str
    certainty: Certainty
    memory: Annotated[Memory, NO_FIGURE]
    drawn: Annotated[int, NO_FIGURE]
    modifier: Annotated[int, NO_FIGURE]
    target: Annotated[int | None, NO_FIGURE]
    trigger: str | None
    chance: Annotated[Fraction, CHANCE]
    abilities: tuple[AbilityGain, ...]
    uncounted: tuple[UncountedAbility, ...]


def value_abilities(request: AbilitiesRequest, context: Context[Rules]) -> AbilitiesReply:
    """Say what each ability adds to the chance of the next check.

    >>> found = value_abilities(AbilitiesRequest(target=4), Context(rules=Rules()))
    >>> found.chance, found.abilities[0].chance
    (Fraction(56, 153), Fraction(269, 408))
    """
    check = read_check(request, () if request.trigger is None else (request.trigger,), context.rules)
    values = ability_values(
        check.memory,
        check.rules,
        count=check.cards,
        modifier=check.modifier,
        target=check.rules_target,
        trigger=check.trigger,
        talents=check.talents,
    )
    odds = _odds_without(check)
    is_exact = odds.is_exact and all(one.is_exact for one in values)
    return AbilitiesReply(
        rules_id=check.rules.rules_id,
        certainty=certainty_of(check.rules, request.player, is_exact=is_exact),
        memory=check.memory,
        drawn=check.cards,
        modifier=check.modifier,
        target=check.target,
        trigger=check.text,
        chance=_chance_without(check, odds),
        abilities=tuple(
            AbilityGain(abilities=one.abilities, cards=one.count, chance=one.after, gain=one.gain)
            for one in values
        ),
        uncounted=tuple(
            UncountedAbility(abilities=abilities, cards=cards)
            for abilities, cards in uncounted_abilities(
                check.memory, check.rules, count=check.cards, counted=values
            )
        ),
    )


def _odds_without(check: KnownCheck) -> CheckOdds:
    """Return the odds of a check without any ability."""
    return check_odds(
        check.memory,
        check.rules,
        count=check.cards,
        modifier=check.modifier,
        triggers=check.triggers,
        talents=check.talents,
        target=check.rules_target,
    )


def _chance_without(check: KnownCheck, odds: CheckOdds) -> Fraction:
    """Return the chance that a check goes well without any ability."""
    if check.target is None:
        return odds.fires(0)
    return odds.both(check.target, 0) if check.triggers else odds.at_least(check.target)


ABILITIES: Final = Question(
    name="abilities",
    request=AbilitiesRequest,
    reply=AbilitiesReply,
    answer=value_abilities,
    example="oddsmith fate abilities --target 4 --trigger 'single(spade)'",
)
