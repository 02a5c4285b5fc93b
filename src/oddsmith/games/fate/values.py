"""Values of abilities: the chance that the next check goes well without an ability, and with its best use (§7.4)."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, partial
from itertools import combinations
from typing import Final, NamedTuple, TypeAlias

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import (
    cards_before_shuffle,
    draw_total,
    draws,
    hands,
    is_countable,
    top_cards,
    top_hands,
    top_total,
)
from oddsmith.games.fate.effects import Ability
from oddsmith.games.fate.memory import Memory, lying_cards
from oddsmith.games.fate.rules import DEFAULT, NO_TARGET, Rules, Target
from oddsmith.games.fate.triggers import Trigger

__all__ = ["AbilityValue", "ability_values", "uncounted_abilities"]

Goal: TypeAlias = Callable[[Sequence[str]], bool]

REDRAWS_CACHED: Final = 4
"""Cache size for the hands of redraws by deck, which are the same for every target."""


class AbilityValue(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities used together on `count` cards, and the chance that the check goes well without and with them."""

    abilities: tuple[Ability, ...]
    count: int
    before: Fraction
    after: Fraction

    @property
    def gain(self) -> Fraction:
        """The difference that they make to the chance."""
        return self.after - self.before


def ability_values(
    memory: Memory,
    rules: Rules = DEFAULT,
    *,
    count: int | None = None,
    modifier: int = 0,
    target: Target = NO_TARGET,
    trigger: Trigger | None = None,
) -> list[AbilityValue]:
    """Return the values of all abilities for the next check, the greatest gain first.

    A check goes well when it reaches its target and its trigger fires, as far as it has them. Each ability is used
    optimally: cards peeked at are put into the best order, a top card peeked at goes to the bottom where that is
    better, the best cards are kept with an extra card, and a failed check is redrawn. Abilities that the rules do not
    give and those of `uncounted_abilities` are left out. Raise `InputError` without a target and a trigger.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> best = ability_values(fresh_memory(), target=4)[0]
    >>> best.abilities, best.count, best.gain
    ((<Ability.PEEK: 'peek'>, <Ability.REORDER: 'reorder'>), 3, Fraction(359, 1224))
    """
    if target == NO_TARGET and trigger is None:
        raise InputError(
            "nothing_wanted", "an ability is worth something against a target or a trigger: give one"
        )
    drawn = rules.on_turn if count is None else count

    @cache
    def goes_well(cards: Sequence[str]) -> bool:
        result = judge(cards, rules, modifier=modifier, target=target, trigger=trigger)
        return result.success is not False and result.triggered is not False

    before = _chance(memory, drawn, goes_well)
    found = [
        AbilityValue(abilities=use.abilities, count=use.size, before=before, after=use.chance(goes_well))
        for use in _uses(memory, rules, drawn)
        if is_countable(memory, use.cards, ordered=use.ordered)
    ]
    return sorted(found, key=lambda value: -value.gain)


def uncounted_abilities(
    memory: Memory, rules: Rules = DEFAULT, *, count: int | None = None
) -> list[tuple[tuple[Ability, ...], int]]:
    """Return the abilities, each with its number of cards, that have too many ways to count.

    >>> from oddsmith.games.fate.odds import fresh_memory
    >>> uncounted_abilities(fresh_memory(), count=3)
    [((<Ability.REDRAW: 'redraw'>,), 3)]
    """
    drawn = rules.on_turn if count is None else count
    uses = _uses(memory, rules, drawn)
    return [
        (use.abilities, use.size) for use in uses if not is_countable(memory, use.cards, ordered=use.ordered)
    ]


def _chance(memory: Memory, drawn: int, goes_well: Goal) -> Fraction:
    ways = sum(ways for cards, ways in hands(memory, drawn) if goes_well(cards))
    return Fraction(ways, draw_total(memory, drawn))


class _Use(NamedTuple):
    """Abilities used together on `size` cards; `chance` enumerates `cards` cards, in order or as hands."""

    abilities: tuple[Ability, ...]
    size: int
    cards: int
    ordered: bool
    chance: Callable[[Goal], Fraction]


def _uses(memory: Memory, rules: Rules, drawn: int) -> Iterator[_Use]:
    """Yield the uses of abilities that the rules and the deck allow."""
    allowed = _allowed_abilities(rules)
    size, lying = len(memory.deck), len(memory.deck) + len(memory.discard)
    first = cards_before_shuffle(memory, drawn)
    if {Ability.PEEK, Ability.REORDER} <= allowed:
        for peeked in range(max(first, 1), min(rules.most_peeked, size) + 1):
            best = partial(_chance_with_reorder, memory, peeked, drawn)
            yield _Use((Ability.PEEK, Ability.REORDER), peeked, peeked, ordered=False, chance=best)
    if {Ability.PEEK, Ability.TO_BOTTOM} <= allowed:
        best = partial(_chance_with_bottom, memory, drawn)
        yield _Use((Ability.PEEK, Ability.TO_BOTTOM), 1, first + 1, ordered=True, chance=best)
    if Ability.EXTRA in allowed and drawn + 1 < lying:
        best = partial(_chance_with_extra, memory, drawn + 1, drawn)
        yield _Use((Ability.EXTRA,), 1, drawn + 1, ordered=False, chance=best)
    if Ability.REDRAW in allowed and 2 * drawn < lying:
        redrawn = partial(_chance_with_redraw, memory, drawn)
        yield _Use((Ability.REDRAW,), drawn, 2 * drawn, ordered=True, chance=redrawn)
    if Ability.RESHUFFLE in allowed:
        reshuffled = partial(_chance, _shuffle_memory(memory), drawn)
        yield _Use((Ability.RESHUFFLE,), lying, drawn, ordered=False, chance=reshuffled)


def _allowed_abilities(rules: Rules) -> set[Ability]:
    """Return the abilities that players have by these rules (§5.9)."""
    in_checks = {Ability.EXTRA: rules.extras_per_check, Ability.REDRAW: rules.redraws_per_check}
    return {ability for ability in Ability if min(rules.uses(ability), in_checks.get(ability, 1))}


def _chance_with_extra(memory: Memory, size: int, drawn: int, goes_well: Goal) -> Fraction:
    """Return the chance that some `drawn` of the next `size` cards go well."""
    ways = sum(
        ways
        for cards, ways in hands(memory, size)
        if any(goes_well(chosen) for chosen in combinations(cards, drawn))
    )
    return Fraction(ways, draw_total(memory, size))


def _chance_with_reorder(memory: Memory, peeked: int, drawn: int, goes_well: Goal) -> Fraction:
    """Return the chance when the top `peeked` cards are put into the best order."""
    first, finish = cards_before_shuffle(memory, drawn), _make_finisher(memory, drawn, goes_well)
    ways = sum(
        ways * max(finish(chosen) for chosen in combinations(cards, first))
        for cards, ways in top_hands(memory, peeked)
    )
    return Fraction(ways, top_total(memory, peeked))


def _make_finisher(memory: Memory, drawn: int, goes_well: Goal) -> Callable[[Sequence[str]], Fraction | int]:
    """Return a function from the first cards of a check to its chance; the others are drawn after the reshuffle."""

    @cache
    def chance(cards: tuple[str, ...]) -> Fraction | int:
        more = drawn - len(cards)
        if not more:
            return goes_well(cards)
        rest = _shuffle_memory(memory, without=cards)
        ways = sum(ways for others, ways in hands(rest, more) if goes_well((*cards, *others)))
        return Fraction(ways, draw_total(rest, more))

    return lambda cards: chance(tuple(sorted(cards)))


def _chance_with_bottom(memory: Memory, drawn: int, goes_well: Goal) -> Fraction:
    """Return the chance when the top card is seen and moved to the bottom where that is better."""
    first, finish = cards_before_shuffle(memory, drawn), _make_finisher(memory, drawn, goes_well)
    stays: dict[str, Fraction | int] = {}
    moved: dict[str, Fraction | int] = {}
    for cards, ways in top_cards(memory, first + 1):
        stays[cards[0]] = stays.get(cards[0], 0) + ways * finish(cards[:-1])
        moved[cards[0]] = moved.get(cards[0], 0) + ways * finish(cards[1:])
    best = sum(max(stays[card], moved[card]) for card in stays)
    return Fraction(best, top_total(memory, first + 1))


def _chance_with_redraw(memory: Memory, drawn: int, goes_well: Goal) -> Fraction:
    """Return the chance when a failed check is drawn again, with its cards set aside."""
    ways = sum(
        ways for first, second, ways in _redraws(memory, drawn) if goes_well(first) or goes_well(second)
    )
    return Fraction(ways, draw_total(memory, 2 * drawn))


@lru_cache(maxsize=REDRAWS_CACHED)
def _redraws(memory: Memory, drawn: int) -> list[tuple[tuple[str, ...], tuple[str, ...], int]]:
    """Return the possible hands of a check and of its redraw, with their ways."""
    counts: Counter[tuple[tuple[str, ...], tuple[str, ...]]] = Counter()
    for cards, ways in draws(memory, 2 * drawn):
        counts[tuple(sorted(cards[:drawn])), tuple(sorted(cards[drawn:]))] += ways
    return [(first, second, ways) for (first, second), ways in counts.items()]


def _shuffle_memory(memory: Memory, *, without: Sequence[str] = ()) -> Memory:
    """Return the memory after all cards in deck and discard pile, except `without`, are shuffled."""
    left = Counter(lying_cards(memory)) - Counter(without)
    cards = tuple(sorted(left.elements()))
    return Memory(deck=(None,) * len(cards), discard=(), unseen=cards)
