"""The weakest and the strongest characters of rules, and trained ones of every level, for exhibits."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product
from typing import Final, NamedTuple

from oddsmith.cards import Suit
from oddsmith.errors import InputError
from oddsmith.games.destiny.odds import hand_odds
from oddsmith.games.destiny.rules import Buff, Character, Item, Rules, SuitBonuses
from oddsmith.games.destiny.scoring import Bonuses, character_bonuses, skill_bonus
from oddsmith.points import Points
from oddsmith.poker import FULL_HAND

MOST_LEVELS: Final = 100
MOST_CARRIED: Final = 100
"""The most items, and the most buffs, of one character."""
MOST_NAMED: Final = 5
MOST_TRIED: Final = 6
"""The most items and buffs with gains and losses of which all combinations are tried."""
NOTHING: Final = Points(0)


class _ItemOrBuff(NamedTuple):
    """An item or a buff: its name, all points that it adds, and its mean effect on a total."""

    name: str
    is_item: bool
    parts: tuple[Points, ...]
    mean: Fraction

    def helps(self, sign: int) -> bool:
        """Return whether it moves some total to this side and none to the other."""
        return all(part.hundredths * sign >= 0 for part in self.parts) and any(
            part.hundredths for part in self.parts
        )


def strongest_characters(rules: Rules) -> Iterator[tuple[str, Bonuses]]:
    """Yield descriptions and bonuses of characters among whom, for every threshold, one is the strongest.

    >>> words, bonuses = next(strongest_characters(Rules()))
    >>> words, bonuses.suits[Suit.SPADES]
    ('every skill at 100, lucky ace charm, iron horseshoe, in red gulch', Points('415.45'))
    """
    return _extremes(rules, 1)


def weakest_characters(rules: Rules) -> Iterator[tuple[str, Bonuses]]:
    """Yield descriptions and bonuses of characters among whom, for every threshold, one is the weakest.

    >>> [words for words, bonuses in weakest_characters(Rules())]
    ['poisoned', 'poisoned, whiskey']
    """
    return _extremes(rules, -1)


def characters_by_level(rules: Rules) -> Iterator[tuple[str, Bonuses]]:
    """Yield descriptions and bonuses of characters with every skill at one level, by rising level.

    >>> [words for words, bonuses in characters_by_level(Rules())][::33]
    ['every skill at 1', 'every skill at 34', 'every skill at 67', 'every skill at 100']
    """
    for level in range(1, rules.max_level + 1, -(-rules.max_level // MOST_LEVELS)):
        trained = Character(skills=dict.fromkeys(rules.skills, level))
        yield from _label_bonuses(f"every skill at {level}", trained, rules)


def _extremes(rules: Rules, sign: int) -> Iterator[tuple[str, Bonuses]]:
    level = max(range(1, rules.max_level + 1), key=lambda level: sign * skill_bonus(level, rules).hundredths)
    trained = skill_bonus(level, rules).hundredths * sign > 0
    things = [*_items_and_buffs(rules)]
    taken = [thing for thing in things if thing.helps(sign)]
    mixed = [thing for thing in things if not thing.helps(1) and not thing.helps(-1) and any(thing.parts)]
    for place, chosen in product(_places(rules, sign), _choices(mixed, sign)):
        items, buffs = (_most_useful([*taken, *chosen], sign, is_item=is_item) for is_item in (True, False))
        character = Character(
            skills=dict.fromkeys(rules.skills, level) if trained else {},
            items=tuple(thing.name for thing in items),
            location=place,
            buffs={thing.name: 0 for thing in buffs},
        )
        words = [
            *([f"every skill at {level}"] if trained else []),
            *_format_names([*items, *buffs]),
            *([f"in {place.replace('_', ' ')}"] if place else []),
        ]
        yield from _label_bonuses(", ".join(words) or "without skills and things", character, rules)


def _label_bonuses(words: str, character: Character, rules: Rules) -> Iterator[tuple[str, Bonuses]]:
    """Yield the description and bonuses of a character, or nothing where the bonuses are out of bounds."""
    try:
        yield words, character_bonuses(character, rules)
    except InputError:
        return


def _most_useful(things: Sequence[_ItemOrBuff], sign: int, *, is_item: bool) -> list[_ItemOrBuff]:
    """Return at most `MOST_CARRIED` items or buffs: those with the largest effect on the mean."""
    kind = [thing for thing in things if thing.is_item is is_item]
    best = {*sorted(kind, key=lambda thing: -thing.mean * sign)[:MOST_CARRIED]}
    return [thing for thing in kind if thing in best]


def _format_names(things: Sequence[_ItemOrBuff]) -> list[str]:
    names = [thing.name.replace("_", " ") for thing in things]
    return (
        names if len(names) <= MOST_NAMED else [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more things"]
    )


def _items_and_buffs(rules: Rules) -> Iterator[_ItemOrBuff]:
    ranks = hand_odds(rules)
    for name, item in rules.items.items():
        boosts = sum(
            (
                points.fraction * Fraction(ranks.weight(rank), ranks.total)
                for rank, points in item.ranks.items()
            ),
            Fraction(0),
        )
        yield _ItemOrBuff(name, True, (*_parts(item), *item.ranks.values()), _mean(item) + boosts)
    for name, buff in rules.buffs.items():
        yield _ItemOrBuff(name, False, _parts(buff), _mean(buff))


def _parts(thing: Item | Buff) -> tuple[Points, ...]:
    return thing.flat, *thing.suits.values()


def _mean(thing: Item | Buff) -> Fraction:
    """Return the mean effect on a total, without boosts."""
    cards_of_a_suit = Fraction(FULL_HAND, len(Suit))
    return thing.flat.fraction + cards_of_a_suit * sum(
        (bonus.fraction for bonus in thing.suits.values()), Fraction(0)
    )


def _places(rules: Rules, sign: int) -> list[str | None]:
    """Return the places, and None, that no other place dominates in every suit."""
    places: dict[str | None, SuitBonuses] = {None: {}} | dict(rules.locations.items())
    return [
        name
        for name, bonuses in places.items()
        if not any(_dominates(other, bonuses, sign) for other in places.values())
    ]


def _dominates(one: SuitBonuses, other: SuitBonuses, sign: int) -> bool:
    apart = [sign * (one.get(suit, NOTHING) - other.get(suit, NOTHING)).hundredths for suit in Suit]
    return min(apart) >= 0 and max(apart) > 0


def _choices(mixed: Sequence[_ItemOrBuff], sign: int) -> Iterator[list[_ItemOrBuff]]:
    if len(mixed) > MOST_TRIED:
        yield [thing for thing in mixed if thing.mean * sign > 0]
        return
    for kept in product((False, True), repeat=len(mixed)):
        yield [thing for thing, is_kept in zip(mixed, kept, strict=True) if is_kept]
