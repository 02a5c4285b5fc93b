"""What a hand is worth in somebody's hands: the one place where the scoring rule is written."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import msgspec

from oddsmith.cards import STANDARD_DECK, Card, Suit, require_held
from oddsmith.errors import InputError, nearest
from oddsmith.games.destiny.model import Modifier, Score
from oddsmith.games.destiny.rules import DEFAULT, LARGEST_SCORE, Character, Curve, Rules
from oddsmith.points import Points, power_points
from oddsmith.poker import FULL_HAND, HandRank, Made, classify
from oddsmith.wire import frozen_mapping

NOTHING: Final = Points(0)
LARGEST_SUM: Final = Points(1_000_000)
"""No bonus in a suit and no sum of modifiers is further from zero, so that no total is out of bounds."""
WITH_KICKER: Final = {HandRank.PAIR, HandRank.TWO_PAIR, HandRank.THREE_OF_A_KIND, HandRank.FOUR_OF_A_KIND}
TOP_CARDS: Final = 3

_SUITS: Final = tuple(Suit)
_DECK: Final = frozenset(STANDARD_DECK)


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody brings to a draw: a bonus for each suit, modifiers for any hand, boosts for some hands."""

    bonuses: Mapping[Suit, Points]
    modifiers: tuple[Modifier, ...] = ()
    boosts: Mapping[HandRank, tuple[Modifier, ...]] = frozen_mapping({})

    def __post_init__(self) -> None:
        parts = [
            *self.bonuses.values(),
            *(_summed(given) for given in (self.modifiers, *self.boosts.values())),
        ]
        largest = max(parts, key=lambda part: abs(part.hundredths))
        if abs(largest.hundredths) > LARGEST_SUM.hundredths:
            raise InputError("out_of_bounds", f"bonuses add up to at most ±{LARGEST_SUM}, not {largest}")


def score(
    hand: Sequence[Card],
    character: Character,
    rules: Rules = DEFAULT,
    *,
    at: int = 0,
    defense_bonus: Points = NOTHING,
) -> Score:
    """Score five cards drawn by a character at a moment (§2 to §6).

    >>> from oddsmith.cards import cards
    >>> result = score(cards("A♠ K♠ Q♠ J♠ 10♠"), Character(bonuses={Suit.SPADES: Points("27.28")}))
    >>> result.rank, result.base, result.suit, result.total
    (<HandRank.ROYAL_FLUSH: 'royal_flush'>, Points('500'), Points('136.4'), Points('636.4'))
    """
    return score_with(hand, sheet(character, rules, at=at, defense_bonus=defense_bonus), rules)


def score_with(hand: Sequence[Card], brought: Sheet, rules: Rules = DEFAULT) -> Score:
    """Score five cards with what a sheet brings."""
    require_hand(hand)
    made = classify(hand)
    base = base_score(made.rank, extra_value(made, hand), rules)
    suits = [held.suit for held in hand]
    counts = {suit: suits.count(suit) for suit in _SUITS}
    suit_score = Points.of_hundredths(
        sum([brought.bonuses[suit].hundredths * count for suit, count in counts.items()])
    )
    given = *brought.modifiers, *brought.boosts.get(made.rank, ())
    sources = tuple([modifier for modifier in given if modifier.points.hundredths])
    modifiers = _summed(sources)
    return Score(
        hand=tuple(hand),
        rank=made.rank,
        matched=made.matched,
        base=base,
        suit_counts=MappingProxyType(counts),
        bonuses=brought.bonuses,
        suit=suit_score,
        modifiers=modifiers,
        sources=sources,
        total=Points.of_hundredths(max(0, base.hundredths + suit_score.hundredths + modifiers.hundredths)),
    )


def require_hand(hand: Sequence[Card]) -> None:
    """Refuse what is not five different cards of the standard deck (§1.1)."""
    if len(hand) == FULL_HAND == len(_DECK.intersection(hand)):
        return
    if len(hand) != FULL_HAND:
        raise InputError("hand_size", f"a hand has five cards: {len(hand)} were given", paragraph="1.1")
    require_held(hand, STANDARD_DECK)


def base_score(rank: HandRank, extra: int, rules: Rules = DEFAULT) -> Points:
    """Return the score of a hand before suits and modifiers: its rank's own, and what its cards add (§2).

    >>> base_score(HandRank.PAIR, 14)
    Points('44')
    """
    return Points.of_hundredths(rules.hand_scores[rank].hundredths + 100 * extra)


def extra_value(made: Made, hand: Sequence[Card]) -> int:
    """Return what the cards add to the hand's own score: the top three, or the kicker (§2.2, §2.3)."""
    if made.rank is HandRank.HIGH_CARD:
        return sum(sorted([held.number for held in hand])[-TOP_CARDS:])
    if made.rank in WITH_KICKER:
        return max([held.number for held in hand if held not in made.matched])
    return 0


def sheet(
    character: Character, rules: Rules = DEFAULT, *, at: int = 0, defense_bonus: Points = NOTHING
) -> Sheet:
    """Return what a character brings to a draw at a moment (§3.2, §5).

    >>> sheet(Character(skills={"tracking": 50})).bonuses[Suit.HEARTS]
    Points('40.37')
    """
    rules.require(character)
    if abs(defense_bonus.hundredths) > LARGEST_SCORE.hundredths:
        raise InputError(
            "out_of_bounds", f"a defence bonus lies within ±{LARGEST_SCORE}, not {defense_bonus}"
        )
    items = {name: rules.items[name] for name in character.items}
    buffs = {name: rules.buffs[name] for name in active_buffs(character.buffs, rules, at=at)}
    granted = [
        character.bonuses,
        *(
            dict.fromkeys(rules.skills[skill], skill_bonus(level, rules))
            for skill, level in character.skills.items()
        ),
        *(item.suits for item in items.values()),
        *([rules.locations[character.location]] if character.location is not None else []),
        *(buff.suits for buff in buffs.values()),
    ]
    defense = Modifier("territory defence", defense_bonus.times(rules.territory_defense_multiplier))
    return Sheet(
        bonuses=frozen_mapping(
            {suit: _total(bonus.get(suit, NOTHING) for bonus in granted) for suit in Suit}
        ),
        modifiers=(
            *(Modifier(f"item {name}", item.flat) for name, item in items.items()),
            *(Modifier(f"buff {name}", buff.flat) for name, buff in buffs.items()),
            defense,
        ),
        boosts=frozen_mapping(
            {
                rank: tuple(
                    Modifier(f"item {name}, {rank.words}", item.ranks[rank])
                    for name, item in items.items()
                    if rank in item.ranks
                )
                for rank in {rank for item in items.values() for rank in item.ranks}
            }
        ),
    )


def npc(tier: str, rules: Rules = DEFAULT) -> Character:
    """Return an opponent of the house: the curve's value as its bonus in every suit (§8.4).

    >>> npc("elite").bonuses[Suit.CLUBS]
    Points('40.37')
    """
    if tier not in rules.npcs:
        raise InputError(
            "unknown_npc", f"unknown NPC '{tier[:40]}'{nearest(tier[:40], rules.npcs)}", where="npc"
        )
    return Character(bonuses=dict.fromkeys(Suit, skill_bonus(rules.npcs[tier], rules)))


def active_buffs(started: Mapping[str, int], rules: Rules, *, at: int) -> Iterator[str]:
    """Yield the buffs that work at a moment: from their start to before their end (§5.4)."""
    for name, start in started.items():
        if start <= at < start + rules.buffs[name].duration:
            yield name


@lru_cache(maxsize=4096)
def skill_bonus(level: int, rules: Rules = DEFAULT) -> Points:
    """Return the bonus that a skill of this level gives to each of its suits (§4).

    >>> skill_bonus(50), skill_bonus(50, Rules.preset("printed_table"))
    (Points('40.37'), Points('45.49'))
    """
    rules.require_level(level, where="skill")
    if rules.curve is Curve.FORMULA:
        return power_points(level - 1, rules.curve_linear, rules.curve_exponent, rules.curve_coefficient)
    return next(
        Points.nearest(low.fraction + (high.fraction - low.fraction) * Fraction(level - start, end - start))
        for (start, low), (end, high) in pairwise(rules.curve_table)
        if start <= level <= end
    )


def _summed(modifiers: Iterable[Modifier]) -> Points:
    return _total([modifier.points for modifier in modifiers])


def _total(points: Iterable[Points]) -> Points:
    return Points.of_hundredths(sum([part.hundredths for part in points]))
