"""The table of matches is what the rule says, for every multiset of faces."""

from decimal import Decimal

import numpy as np

from oddsmith.games.dice.matches import NO_MATCH, derive_matches, find_matches, stored_matches
from oddsmith.games.dice.parts import HANDS, Condition, Hand
from oddsmith.odds.multisets import Multisets


def test_2_3_the_kept_table_is_what_the_rule_says() -> None:
    """All 8,007 rolls of one to ten dice match the hands in package data as the rule matches them."""
    assert np.array_equal(derive_matches(), stored_matches(10))


def test_2_2_a_hand_that_no_page_has_is_asked_of_the_rule() -> None:
    """A condition that is not in package data matches as its pattern says."""
    low = Hand(order=1, base=1, multiplier=Decimal(1), min_dice=1, condition=Condition.ONLY, pattern=(1, 2))
    multisets = Multisets(2, 6)
    matched = [
        multisets.multiset(place)
        for place in find_matches([HANDS["pair"], low], 2)[1].tolist()
        if place != NO_MATCH
    ]

    assert [(0, 0), (0, 1), (1, 1)] == matched
