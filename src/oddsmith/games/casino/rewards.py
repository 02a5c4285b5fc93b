"""What piles of Casino are paid for, and how much there is to be had: asked of the scoring itself (§5.3)."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise, product
from typing import Final

from oddsmith.cards import Card, Suit
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import score_parts

TABLES: Final = range(FEWEST_SEATS, MOST_SEATS + 1)


class Source(StrEnum):
    """What points are for."""

    CARDS = "cards"
    SPADES = "spades"
    ACES = "aces"
    TEN_OF_DIAMONDS = "ten_of_diamonds"
    TWO_OF_SPADES = "two_of_spades"
    SWEEPS = "sweeps"


PARTS: Final[Mapping[Source, tuple[str, ...]]] = {
    Source.CARDS: ("most cards", "cards"),
    Source.SPADES: ("most spades", "spades"),
    Source.ACES: ("aces",),
    Source.TEN_OF_DIAMONDS: ("10♦",),
    Source.TWO_OF_SPADES: ("2♠",),
    Source.SWEEPS: ("sweeps",),
}
"""By source, the parts of a score that belong to it."""
SINGLE_CARDS: Final = (Source.ACES, Source.TEN_OF_DIAMONDS, Source.TWO_OF_SPADES)


def scorings_used(rules: Rules) -> dict[str, int]:
    """Return the scorings that these rules use, each with the smallest table that it is for.

    >>> scorings_used(Rules.preset("short"))
    {'scoring_short_two': 2, 'scoring_short_more': 3}
    """
    known = {name: getattr(rules, name) for name in rules.__struct_fields__ if name.startswith("scoring_")}
    used: dict[str, int] = {}
    for players in TABLES:
        name = next(name for name, scoring in known.items() if scoring is rules.scoring(players))
        used.setdefault(name, players)
    return used


def paid_for(pile: Sequence[Card], rules: Rules, players: int) -> dict[str, int]:
    """Return what a pile is worth part by part when nobody else has any, without what brings nothing.

    >>> from oddsmith.cards import cards
    >>> paid_for(cards("A♠ 10♦"), Rules(), 2)
    {'most cards': 3, 'most spades': 1, '10♦': 2, 'aces': 1}
    """
    nothing: tuple[Sequence[Card], ...] = ((),) * (players - 1)
    return score_parts((pile, *nothing), (0,) * players, rules)[0]


def points_available(rules: Rules, players: int) -> int:
    """Return the most points that all players together can make of one game, sweeps apart.

    Every way to share out the cards and the spades is looked at, by how many each player has.

    >>> points_available(Rules(), 2)
    11
    """
    spades = tuple(card for card in rules.cards if card.suit is Suit.SPADES)
    by_spades, by_cards = (
        {counts: _worth(held, counts, rules, source) for counts in _partitions(len(held), players)}
        for held, source in ((spades, Source.SPADES), (rules.cards, Source.CARDS))
    )
    shared = max(
        by_spades[spade_counts] + by_cards[card_counts]
        for spade_counts, card_counts in product(by_spades, by_cards)
        if all(map(int.__le__, spade_counts, card_counts))
    )
    everything = paid_for(rules.cards, rules, players)
    return shared + sum(everything.get(part, 0) for source in SINGLE_CARDS for part in PARTS[source])


def _worth(held: Sequence[Card], counts: Sequence[int], rules: Rules, source: Source) -> int:
    """Return what all players make of one source together when they share out these cards by so many."""
    piles = [held[first:end] for first, end in pairwise(accumulate(counts, initial=0))]
    parts = score_parts(piles, (0,) * len(counts), rules)
    return sum(points.get(part, 0) for points in parts for part in PARTS[source])


def _partitions(count: int, players: int, most: int | None = None) -> Iterator[tuple[int, ...]]:
    """Yield every way to share out so many cards, those with more of them first.

    >>> list(_partitions(3, 2))
    [(3, 0), (2, 1)]
    """
    if players == 1:
        yield (count,)
        return
    largest = count if most is None else min(count, most)
    for first in range(largest, -(-count // players) - 1, -1):
        for rest in _partitions(count - first, players - 1, first):
            yield first, *rest
