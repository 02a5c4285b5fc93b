"""A rule applied once for each class gives the result of applying it to every item."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, Rank
from oddsmith.chance import DealHand
from oddsmith.errors import InputError
from oddsmith.odds.classes import ClassTable, collapse
from oddsmith.odds.distribution import Distribution
from oddsmith.poker import HandRank, classify

TOP = tuple(known for known in STANDARD_DECK if known.rank >= Rank.TEN)


def ranks_and_flush(hand: Sequence[Card]) -> tuple[tuple[Rank, ...], bool]:
    return tuple(sorted(known.rank for known in hand)), len({known.suit for known in hand}) == 1


@given(st.lists(st.integers(0, 99), min_size=1, max_size=40))
def test_each_class_occurs_once_with_its_count_and_its_first_item(items: list[int]) -> None:
    """Keys rise strictly, counts add up to the items, and a representative is the first of its class."""
    table = collapse(items, key=lambda item: item % 7)
    of_class = {key: [item for item in items if item % 7 == key] for key in range(7)}

    assert tuple(key for key in range(7) if of_class[key]) == table.keys
    assert tuple(len(of_class[key]) for key in table.keys) == table.counts
    assert tuple(of_class[key][0] for key in table.keys) == table.representatives
    assert (len(items), len(table.keys)) == (table.total, len(table))


def test_poker_hands_of_a_short_deck_agree_with_brute_force() -> None:
    """Of the 15,504 hands from ten to ace, the classes give each hand rank its exact count."""
    hands = list(combinations(TOP, 5))
    table = collapse(hands, key=ranks_and_flush)
    ranked: list[Sequence[Card]] = []

    def rank_of(hand: Sequence[Card]) -> HandRank:
        ranked.append(hand)
        return classify(hand).rank

    counted = table.distribution(rank_of)

    assert Counter(classify(hand).rank for hand in hands) == dict(counted.items())
    assert (15_504, 4) == (counted.total, counted.weight(HandRank.ROYAL_FLUSH))
    assert len(table) == len(ranked) < 130


def test_weights_count_items() -> None:
    """Items of a chance node count with the node's weights; an impossible item counts 0."""
    double = DealHand(TOP[:4] * 2, 2)
    table = collapse((hand for hand, _ in double.outcomes()), ranks_and_flush, weight=double.weight)

    assert double.total == table.total
    assert Distribution.from_chance(double).map(lambda hand: hand[0].rank) == table.distribution(
        lambda hand: hand[0].rank
    )
    assert ClassTable(("b",), (3,), ("b",)) == collapse("ab", key=str, weight={"a": 0, "b": 3}.__getitem__)


def test_a_negative_weight_is_refused() -> None:
    with pytest.raises(InputError, match="whole number from 0"):
        collapse("a", key=str, weight=lambda _: -1)


def test_keys_without_an_order_are_refused() -> None:
    """The keys of a table are sorted, so that it is the same on every machine."""
    with pytest.raises(InputError, match="need an order"):
        collapse([1, "one"], key=lambda item: item)


def test_no_items_make_no_distribution() -> None:
    """A table may be empty; a distribution may not."""
    table = collapse("", key=str)

    assert (0, 0) == (len(table), table.total)
    with pytest.raises(InputError, match="needs an outcome"):
        table.distribution(str)
