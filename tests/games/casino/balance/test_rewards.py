"""What piles are paid for, and how much there is to be had (§5.3)."""

from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.games.casino.figures import _partitions, pile_points, points_available, scorings_used
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from oddsmith.games.casino.scoring import final_scores
from tests.games.casino.tables import SHORT, shuffled

GENEROUS = DEFAULT.replace(
    scoring_full=Scoring(most_cards=0, spades_wanted=4, spades_points=5, cards_wanted=14, cards_points=7)
)


@pytest.mark.parametrize("rules", [DEFAULT, SHORT], ids=["full", "short"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_5_3_eleven_points_are_to_be_had(rules: Rules, players: int) -> None:
    """3 for cards, 1 for spades, 2 and 1 for two cards and 4 for the aces; or, with the short deck, 2 and 2 and these."""
    assert 11 == points_available(rules, players)


@pytest.mark.parametrize(("players", "points"), [(2, 32), (3, 44), (4, 44)])
def test_5_3_several_may_have_enough(players: int, points: int) -> None:
    """Four spades are 5 points, for up to three players; fourteen cards are 7, for three of four as for three of three."""
    assert points == points_available(GENEROUS, players)


@given(
    seed=st.integers(0, 1_000),
    cuts=st.lists(st.integers(0, 52), min_size=3, max_size=3),
    players=st.integers(2, 4),
)
def test_5_3_nobody_makes_more_of_any_piles(seed: int, cuts: list[int], players: int) -> None:
    """However the cards are shared out."""
    deck = shuffled(GENEROUS, seed)
    ends = [0, *sorted(cuts[: players - 1]), 52]
    piles = [deck[first:end] for first, end in pairwise(ends)]
    made = sum(score.points for score in final_scores(piles, (0,) * players, GENEROUS))

    assert made <= _most(players)


@cache
def _most(players: int) -> int:
    return points_available(GENEROUS, players)


def test_5_3_whoever_has_everything_is_paid_for_everything() -> None:
    """Part by part."""
    assert {"most cards": 3, "most spades": 1, "10♦": 2, "2♠": 1, "aces": 4} == pile_points(
        DEFAULT.cards, DEFAULT, 3
    )
    half = [card for card in SHORT.cards if card.suit in (Suit.HEARTS, Suit.CLUBS)]

    assert {"cards": 1, "aces": 2} == pile_points(half, SHORT, 2)


def test_5_3_which_scoring_is_for_which_table() -> None:
    """One for the full deck, two for the short one."""
    assert {"scoring_full": 2} == scorings_used(DEFAULT)
    assert {"scoring_short_two": 2, "scoring_short_more": 3} == scorings_used(SHORT)


@pytest.mark.parametrize(("count", "players"), [(0, 2), (5, 2), (7, 3), (6, 4)])
def test_every_way_to_share_out_is_met_once(count: int, players: int) -> None:
    """As often as by trying all numbers."""
    every = {
        tuple(sorted(shared, reverse=True))
        for shared in product(range(count + 1), repeat=players)
        if sum(shared) == count
    }
    met = list(_partitions(count, players))

    assert every == set(met)
    assert len(every) == len(met)
