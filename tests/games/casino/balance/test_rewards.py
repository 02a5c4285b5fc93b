"""Points of piles, and the points that are available (§5.3)."""

from functools import cache
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.games.casino.figures import _partitions, pile_points, points_available, scorings_used
from oddsmith.games.casino.rules import DEFAULT, Rules, Scoring
from oddsmith.games.casino.scoring import final_scores
from tests.games.casino.tables import SHORT, shuffle_deck

GENEROUS = DEFAULT.replace(
    scoring_full=Scoring(most_cards=0, spades_wanted=4, spades_points=5, cards_wanted=14, cards_points=7)
)


@pytest.mark.parametrize("rules", [DEFAULT, SHORT], ids=["full", "short"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_5_3_eleven_points_are_available(rules: Rules, players: int) -> None:
    """3 for cards, 1 for spades, 2 and 1 for two cards and 4 for the aces; with the short deck 2 and 2 and these."""
    assert 11 == points_available(rules, players)


@pytest.mark.parametrize(("players", "points"), [(2, 32), (3, 44), (4, 44)])
def test_5_3_several_seats_may_reach_a_threshold(players: int, points: int) -> None:
    """Four spades pay 5 points, to up to three players; fourteen cards pay 7, to three of three or four players."""
    assert points == points_available(GENEROUS, players)


@given(
    seed=st.integers(0, 1_000),
    cuts=st.lists(st.integers(0, 52), min_size=3, max_size=3),
    players=st.integers(2, 4),
)
def test_5_3_no_piles_score_more_than_the_available_points(seed: int, cuts: list[int], players: int) -> None:
    """For any way to share out the cards."""
    deck = shuffle_deck(GENEROUS, seed)
    ends = [0, *sorted(cuts[: players - 1]), 52]
    piles = [deck[first:end] for first, end in pairwise(ends)]
    made = sum(score.points for score in final_scores(piles, (0,) * players, GENEROUS))

    assert made <= _available_points(players)


@cache
def _available_points(players: int) -> int:
    return points_available(GENEROUS, players)


def test_5_3_a_seat_with_all_cards_has_all_points() -> None:
    """Part by part."""
    assert {"most cards": 3, "most spades": 1, "10♦": 2, "2♠": 1, "aces": 4} == pile_points(
        DEFAULT.cards, DEFAULT, 3
    )
    half = [card for card in SHORT.cards if card.suit in (Suit.HEARTS, Suit.CLUBS)]

    assert {"cards": 1, "aces": 2} == pile_points(half, SHORT, 2)


def test_5_3_scoring_by_deck_and_players() -> None:
    """One for the full deck, two for the short one."""
    assert {"scoring_full": 2} == scorings_used(DEFAULT)
    assert {"scoring_short_two": 2, "scoring_short_more": 3} == scorings_used(SHORT)


@pytest.mark.parametrize(("count", "players"), [(0, 2), (5, 2), (7, 3), (6, 4)])
def test_every_way_to_share_out_is_generated_once(count: int, players: int) -> None:
    """Compared with all combinations of numbers."""
    every = {
        tuple(sorted(shared, reverse=True))
        for shared in product(range(count + 1), repeat=players)
        if sum(shared) == count
    }
    met = list(_partitions(count, players))

    assert every == set(met)
    assert len(every) == len(met)
