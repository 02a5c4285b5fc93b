"""What an ability is worth: the chance that the next check goes well without it, and with its best use (§7.4)."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TypeAlias

import msgspec

from oddsmith.errors import InputError
from oddsmith.games.fate.checks import judge
from oddsmith.games.fate.draws import cards_known, draw_total, draws, hands, is_countable
from oddsmith.games.fate.memory import Memory
from oddsmith.games.fate.rules import DEFAULT, NO_TARGET, Ability, Rules, Target
from oddsmith.games.fate.triggers import Trigger

__all__ = ["AbilityValue", "ability_values"]

Wanted: TypeAlias = Callable[[Sequence[str]], bool]


class AbilityValue(msgspec.Struct, frozen=True, kw_only=True):
    """Abilities used together, on how many cards, and the chance that the check goes well without and with them."""

    abilities: tuple[Ability, ...]
    count: int
    before: Fraction
    after: Fraction

    @property
    def gain(self) -> Fraction:
        """What they add to the chance."""
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
    """Return what each ability adds to the chance of the next check, the most first.

    A check goes well when it reaches its target and its trigger fires, as far as it has them. What is peeked at is put
    into the best order, a top card that is peeked at goes to the bottom where that is better, of an extra card the
    best are kept, and a check that went badly is redrawn. An ability that the rules do not give, or with more ways than
    are counted, is left out.

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
    def well(cards: Sequence[str]) -> bool:
        result = judge(cards, rules, modifier=modifier, target=target, trigger=trigger)
        return result.success is not False and result.triggered is not False

    before = _chance(memory, drawn, well)
    found = [
        AbilityValue(abilities=abilities, count=size, before=before, after=after)
        for abilities, size, after in _uses(memory, rules, drawn, well)
    ]
    return sorted(found, key=lambda value: -value.gain)


def _chance(memory: Memory, drawn: int, well: Wanted) -> Fraction:
    ways = sum(ways for cards, ways in hands(memory, drawn) if well(cards))
    return Fraction(ways, draw_total(memory, drawn))


def _uses(
    memory: Memory, rules: Rules, drawn: int, well: Wanted
) -> Iterator[tuple[tuple[Ability, ...], int, Fraction]]:
    """Yield abilities in use, on how many cards, and the chance that they give, as far as rules and deck allow them."""
    allowed = _allowed(rules)
    lying = len(memory.deck) + len(memory.discard)
    if {Ability.PEEK, Ability.REORDER} <= allowed:
        for size in range(drawn, min(rules.most_peeked, len(memory.deck) - 1) + 1):
            yield (Ability.PEEK, Ability.REORDER), size, _best_of(memory, size, drawn, well)
    seen = drawn < len(memory.deck) - 1 and is_countable(memory, drawn + 1, ordered=True)
    if seen and {Ability.PEEK, Ability.TO_BOTTOM} <= allowed:
        yield (Ability.PEEK, Ability.TO_BOTTOM), 1, _top_or_next(memory, drawn, well)
    if drawn + 1 < lying and Ability.EXTRA in allowed:
        yield (Ability.EXTRA,), 1, _best_of(memory, drawn + 1, drawn, well)
    twice = 2 * drawn < lying and is_countable(memory, 2 * drawn, ordered=True)
    if twice and Ability.REDRAW in allowed:
        yield (Ability.REDRAW,), drawn, _again(memory, drawn, well)
    if Ability.RESHUFFLE in allowed:
        yield (Ability.RESHUFFLE,), lying, _chance(_shuffled(memory), drawn, well)


def _allowed(rules: Rules) -> set[Ability]:
    """Return the abilities that players have by these rules (§5.9)."""
    in_checks = {Ability.EXTRA: rules.extras_per_check, Ability.REDRAW: rules.redraws_per_check}
    return {ability for ability in Ability if min(rules.uses(ability), in_checks.get(ability, 1))}


def _best_of(memory: Memory, size: int, drawn: int, well: Wanted) -> Fraction:
    """Return the chance that some of the next cards go well, as many as are drawn."""
    ways = sum(
        ways
        for cards, ways in hands(memory, size)
        if any(well(chosen) for chosen in combinations(cards, drawn))
    )
    return Fraction(ways, draw_total(memory, size))


def _top_or_next(memory: Memory, drawn: int, well: Wanted) -> Fraction:
    """Return the chance when the top card is seen, and goes to the bottom where the cards after it are better."""
    kept: dict[str, int] = {}
    moved: dict[str, int] = {}
    for cards, ways in draws(memory, drawn + 1):
        kept[cards[0]] = kept.get(cards[0], 0) + ways * well(cards[:-1])
        moved[cards[0]] = moved.get(cards[0], 0) + ways * well(cards[1:])
    best = sum(max(kept[card], moved[card]) for card in kept)
    return Fraction(best, draw_total(memory, drawn + 1))


def _again(memory: Memory, drawn: int, well: Wanted) -> Fraction:
    """Return the chance when a check that went badly is drawn anew, its cards set aside."""
    ways = sum(ways for cards, ways in draws(memory, 2 * drawn) if well(cards[:drawn]) or well(cards[drawn:]))
    return Fraction(ways, draw_total(memory, 2 * drawn))


def _shuffled(memory: Memory) -> Memory:
    cards = tuple(sorted(cards_known(memory)))
    return Memory(deck=(None,) * len(cards), discard=(), unseen=cards)
