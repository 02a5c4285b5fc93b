"""Observations of single draws of played games: the rank, and the bonus of each suit."""

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Annotated, Final, TypeAlias

from msgspec import Meta

from oddsmith.cards import Card, Suit
from oddsmith.games.destiny.decks import STANDARD, ranks_of
from oddsmith.games.destiny.odds import hand_odds
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.rules import DeckRules, Rules
from oddsmith.games.destiny.scoring import Bonuses, score_with
from oddsmith.metric import NullDistribution, Observation
from oddsmith.poker import FULL_HAND

Hand: TypeAlias = Annotated[tuple[Card, ...], Meta(min_length=FULL_HAND, max_length=FULL_HAND)]

MOST_CACHED: Final = 4_096
CERTAIN: Final = NullDistribution.of_chance(Fraction(1))


def draw_observations(hand: Hand, bonuses: Bonuses, rules: Rules) -> Iterator[Observation]:
    """Yield the rank of a draw, and the bonus of each suit; with jokers, whose suits depend on the rest, only the rank."""
    rank = rank_of(hand, bonuses, rules)
    if rules.redraws.times:
        return
    distributions = _hand_distributions(bonuses if rules.deck.jokers else None, rules)
    yield from (
        Observation("draw.hand", one.words, int(one is rank), distributions[one])
        for one in ranks_of(rules.deck)
    )
    suits = [held.suit for held in hand]
    for suit in Suit if not rules.deck.jokers else ():
        bonus = bonuses.suits[suit].hundredths
        distribution = suit_distribution(bonus, rules.deck)
        yield Observation("draw.suit_bonus", suit.value, bonus * suits.count(suit), distribution)


def rank_of(hand: Hand, bonuses: Bonuses, rules: Rules) -> HandRank:
    """Return the rank of a hand; jokers are read for the holder."""
    return score_with(hand, bonuses, rules).rank


@lru_cache(maxsize=MOST_CACHED)
def _hand_distributions(bonuses: Bonuses | None, rules: Rules) -> dict[HandRank, NullDistribution]:
    drawn = hand_odds(rules, bonuses)
    return {rank: NullDistribution.of_chance(drawn.probability(rank)) for rank in ranks_of(rules.deck)}


@lru_cache(maxsize=MOST_CACHED)
def suit_distribution(bonus: int, deck: DeckRules = STANDARD) -> NullDistribution:
    """Return the distribution of the bonus of one suit over five cards of a deck without jokers."""
    of_a_suit = deck.size // len(Suit)
    others = deck.size - of_a_suit
    ways: dict[int, int] = {}
    for count in range(FULL_HAND + 1):
        ways[bonus * count] = ways.get(bonus * count, 0) + comb(of_a_suit, count) * comb(
            others, FULL_HAND - count
        )
    return NullDistribution(tuple(sorted(ways.items())))
