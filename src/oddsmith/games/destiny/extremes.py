"""The weakest and the strongest that a character can be under some rules, and those between.

A higher bonus never hurts, so what only helps is taken by the strongest and what only hurts by the weakest. Places are tried
one by one, and what does both in all combinations, as long as these are few; else by what it does to the mean.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from oddsmith.cards import Suit
from oddsmith.errors import InputError
from oddsmith.games.destiny.odds import hand_odds
from oddsmith.games.destiny.rules import Buff, Character, Item, Rules, SuitBonuses
from oddsmith.games.destiny.scoring import Sheet, sheet, skill_bonus
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

MOST_LEVELS: Final = 100
MOST_CARRIED: Final = 100
"""So many items, and so many buffs, a character has at most."""
MOST_TOLD: Final = 5
MOST_TRIED: Final = 6
"""So many things that help and hurt are tried in all combinations."""
NOTHING: Final = Points(0)


class _Thing(NamedTuple):
    """Something that a character can carry or be under: its name, and everything that it adds somewhere."""

    name: str
    is_item: bool
    parts: tuple[Points, ...]
    mean: Fraction

    def helps(self, sign: int) -> bool:
        """Say whether it only ever moves a total to this side."""
        return all(part.hundredths * sign >= 0 for part in self.parts) and any(
            part.hundredths for part in self.parts
        )


def strongest(rules: Rules) -> Iterator[tuple[str, Sheet]]:
    """Yield those of whom one is the strongest, in words and as a sheet.

    >>> told, brought = next(strongest(Rules()))
    >>> told, brought.bonuses[Suit.SPADES]
    ('every skill at 100, lucky ace charm, iron horseshoe, in red gulch', Points('415.45'))
    """
    return _extremes(rules, 1)


def weakest(rules: Rules) -> Iterator[tuple[str, Sheet]]:
    """Yield those of whom one is the weakest, in words and as a sheet.

    >>> [told for told, brought in weakest(Rules())]
    ['poisoned', 'poisoned, whiskey']
    """
    return _extremes(rules, -1)


def rising(rules: Rules) -> Iterator[tuple[str, Sheet]]:
    """Yield those with every skill at one and the same level, from the first to the last.

    >>> [told for told, brought in rising(Rules())][::33]
    ['every skill at 1', 'every skill at 34', 'every skill at 67', 'every skill at 100']
    """
    for level in range(1, rules.max_level + 1, -(-rules.max_level // MOST_LEVELS)):
        trained = Character(skills=dict.fromkeys(rules.skills, level))
        yield from _brought(f"every skill at {level}", trained, rules)


def _extremes(rules: Rules, sign: int) -> Iterator[tuple[str, Sheet]]:
    level = max(range(1, rules.max_level + 1), key=lambda level: sign * skill_bonus(level, rules).hundredths)
    trained = skill_bonus(level, rules).hundredths * sign > 0
    things = [*_things(rules)]
    taken = [thing for thing in things if thing.helps(sign)]
    mixed = [thing for thing in things if not thing.helps(1) and not thing.helps(-1) and any(thing.parts)]
    for place, chosen in product(_places(rules, sign), _choices(mixed, sign)):
        items, buffs = (_most([*taken, *chosen], sign, is_item=is_item) for is_item in (True, False))
        character = Character(
            skills=dict.fromkeys(rules.skills, level) if trained else {},
            items=tuple(thing.name for thing in items),
            location=place,
            buffs={thing.name: 0 for thing in buffs},
        )
        told = [
            *([f"every skill at {level}"] if trained else []),
            *_told([*items, *buffs]),
            *([f"in {place.replace('_', ' ')}"] if place else []),
        ]
        yield from _brought(", ".join(told) or "without skills and things", character, rules)


def _brought(told: str, character: Character, rules: Rules) -> Iterator[tuple[str, Sheet]]:
    """Yield somebody with what is brought, unless it is more than the game lets anybody bring."""
    try:
        yield told, sheet(character, rules)
    except InputError:
        return


def _most(things: Sequence[_Thing], sign: int, *, is_item: bool) -> list[_Thing]:
    """Return the items or the buffs, no more than a character can have, by what they do to the mean."""
    meant = [thing for thing in things if thing.is_item is is_item]
    kept = {*sorted(meant, key=lambda thing: -thing.mean * sign)[:MOST_CARRIED]}
    return [thing for thing in meant if thing in kept]


def _told(things: Sequence[_Thing]) -> list[str]:
    names = [thing.name.replace("_", " ") for thing in things]
    return names if len(names) <= MOST_TOLD else [*names[:MOST_TOLD], f"{len(names) - MOST_TOLD} more things"]


def _things(rules: Rules) -> Iterator[_Thing]:
    ranks = hand_odds()
    for name, item in rules.items.items():
        boosts = sum(
            (
                points.fraction * Fraction(ranks.weight(rank), ranks.total)
                for rank, points in item.ranks.items()
            ),
            Fraction(0),
        )
        yield _Thing(name, True, (*_parts(item), *item.ranks.values()), _mean(item) + boosts)
    for name, buff in rules.buffs.items():
        yield _Thing(name, False, _parts(buff), _mean(buff))


def _parts(thing: Item | Buff) -> tuple[Points, ...]:
    return thing.flat, *thing.suits.values()


def _mean(thing: Item | Buff) -> Fraction:
    """Return what a thing adds to a total on average, its boosts aside."""
    cards_of_a_suit = Fraction(FULL_HAND, len(Suit))
    return thing.flat.fraction + cards_of_a_suit * sum(
        (bonus.fraction for bonus in thing.suits.values()), Fraction(0)
    )


def _places(rules: Rules, sign: int) -> list[str | None]:
    """Return where somebody may be: nowhere too, and not where another place is better for every suit."""
    places: dict[str | None, SuitBonuses] = {None: {}} | dict(rules.locations.items())
    return [
        name
        for name, bonuses in places.items()
        if not any(_outdoes(other, bonuses, sign) for other in places.values())
    ]


def _outdoes(one: SuitBonuses, other: SuitBonuses, sign: int) -> bool:
    apart = [sign * (one.get(suit, NOTHING) - other.get(suit, NOTHING)).hundredths for suit in Suit]
    return min(apart) >= 0 and max(apart) > 0


def _choices(mixed: Sequence[_Thing], sign: int) -> Iterator[list[_Thing]]:
    if len(mixed) > MOST_TRIED:
        yield [thing for thing in mixed if thing.mean * sign > 0]
        return
    for kept in product((False, True), repeat=len(mixed)):
        yield [thing for thing, is_kept in zip(mixed, kept, strict=True) if is_kept]
