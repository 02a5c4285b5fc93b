"""The stored table of matches agrees with the rule for every multiset of faces."""

from decimal import Decimal

import numpy as np

from oddsmith.games.dice.matches import NO_MATCH, derive_matches, find_matches, stored_matches
from oddsmith.games.dice.parts import HANDS, Condition, Hand
from oddsmith.odds.multisets import Multisets


def test_2_3_the_stored_table_agrees_with_the_rule() -> None:
    """For all 8,007 rolls of one to ten dice and the hands in package data."""
    assert np.array_equal(derive_matches(), stored_matches(10))


def test_2_2_a_hand_without_a_stored_table_uses_the_rule() -> None:
    """A condition that is not in package data matches by its pattern."""
    low = Hand(order=1, base=1, multiplier=Decimal(1), min_dice=1, condition=Condition.ONLY, pattern=(1, 2))
    multisets = Multisets(2, 6)
    matched = [
        multisets.multiset(place)
        for place in find_matches([HANDS["pair"], low], 2)[1].tolist()
        if place != NO_MATCH
    ]

    assert [(0, 0), (0, 1), (1, 1)] == matched
