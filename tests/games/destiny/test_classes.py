"""The stored table of hand classes agrees with the scoring rule for all hands (§12.1)."""

from collections import Counter
from importlib import resources
from itertools import combinations

import numpy as np
import pytest

from oddsmith.cards import STANDARD_DECK, Suit, cards
from oddsmith.games.destiny import score
from oddsmith.games.destiny.classes import DATA, RANKS, derive, hand_classes, tabulate
from oddsmith.games.destiny.ranks import STANDARD_RANKS, HandRank, classify
from oddsmith.games.destiny.scoring import extra_value
from tests.games.destiny.builders import HANDS, UNSKILLED


@pytest.mark.sweep
def test_12_1_the_stored_table_agrees_with_derive() -> None:
    """All 2,598,960 hands, collapsed again by the scoring rule, are the package data, row by row."""
    with resources.files("oddsmith.games.destiny").joinpath(DATA).open("rb") as data:
        kept = np.load(data, allow_pickle=False)
    derived = derive()

    assert (2_808, HANDS) == (len(derived), int(derived[:, 6].sum()))
    assert kept.dtype == derived.dtype
    assert kept.tolist() == derived.tolist()


def test_12_2_frequencies_of_the_table() -> None:
    """The ways of all classes of a rank add up to its known frequency."""
    table = hand_classes()
    counted: Counter[HandRank] = Counter()
    for place, ways in zip(table.rank.tolist(), table.ways.tolist(), strict=True):
        counted[RANKS[place]] += ways

    assert {
        HandRank.ROYAL_FLUSH: 4,
        HandRank.STRAIGHT_FLUSH: 36,
        HandRank.FOUR_OF_A_KIND: 624,
        HandRank.FULL_HOUSE: 3_744,
        HandRank.FLUSH: 5_108,
        HandRank.STRAIGHT: 10_200,
        HandRank.THREE_OF_A_KIND: 54_912,
        HandRank.TWO_PAIR: 123_552,
        HandRank.PAIR: 1_098_240,
        HandRank.HIGH_CARD: 1_302_540,
    } == counted


def test_12_1_five_cards_have_56_distributions_of_suits() -> None:
    """Each of them occurs, and no other."""
    table = hand_classes()
    expected = sorted(
        [a, b, c, 5 - a - b - c] for a in range(6) for b in range(6 - a) for c in range(6 - a - b)
    )

    assert 56 == len(expected)
    assert expected == table.patterns.tolist()


def test_12_1_every_class_agrees_with_its_example() -> None:
    """Rank, extra value and suit counts of a row are those of its example's score."""
    table = hand_classes()
    rows = zip(table.rank.tolist(), table.extra.tolist(), table.patterns[table.pattern].tolist(), strict=True)
    scores = [score(hand, UNSKILLED) for hand, _ in table.examples()]
    seen = [
        (
            RANKS.index(one.rank),
            (one.base.hundredths - 100 * OWN[one.rank]) // 100,
            list(one.suit_counts.values()),
        )
        for one in scores
    ]

    assert list(rows) == seen


OWN = dict(zip(STANDARD_RANKS, (500, 400, 300, 225, 175, 150, 100, 60, 30, 0), strict=True))


def test_12_1_the_table_is_read_only() -> None:
    """It is read once and shared."""
    table = hand_classes()

    assert table is hand_classes()
    for part in (table.rank, table.extra, table.pattern, table.patterns, table.ways, table.example):
        with pytest.raises(ValueError, match="read-only"):
            part[...] = 0


@pytest.mark.sweep
@pytest.mark.parametrize("ranks", ["A2345", "9TJQKA"])
def test_12_1_every_hand_of_a_class_scores_alike(ranks: str) -> None:
    """All hands of some ranks, each scored alone."""
    deck = [held for held in STANDARD_DECK if held.text[:-1].replace("10", "T") in ranks]
    counted: Counter[tuple[int, ...]] = Counter()
    for hand in combinations(deck, 5):
        made = classify(hand)
        suits = Counter(held.suit for held in hand)
        counted[RANKS.index(made.rank), extra_value(made, hand), *(suits[suit] for suit in Suit)] += 1

    assert counted == {tuple(row[:6]): row[6] for row in derive(deck).tolist()}


def test_12_1_a_short_deck_has_its_own_classes() -> None:
    """The classes of nine cards have their 126 hands, each with its rank."""
    deck = cards("A♠ K♠ Q♠ J♠ 10♠ A♥ A♣ A♦ K♥")
    table = tabulate(derive(deck))
    made = Counter(score(hand, UNSKILLED).rank for hand in combinations(deck, 5))
    counted: Counter[HandRank] = Counter()
    for place, ways in zip(table.rank.tolist(), table.ways.tolist(), strict=True):
        counted[RANKS[place]] += ways

    assert made == counted
    assert 126 == sum(counted.values())


def test_12_1_classes_are_symmetric_in_suits() -> None:
    """Renaming suits permutes the rows: each (rank, extra, sorted suit counts) is as frequent in any naming."""
    table = hand_classes()
    suits = table.patterns[table.pattern].tolist()
    ways: dict[tuple[int, int, tuple[int, ...]], set[int]] = {}
    for rank, extra, counts, number in zip(
        table.rank.tolist(), table.extra.tolist(), suits, table.ways.tolist(), strict=True
    ):
        ways.setdefault((rank, extra, tuple(sorted(counts))), set()).add(number)

    assert {1} == {len(numbers) for numbers in ways.values()}
    assert (len(STANDARD_DECK), len(Suit)) == (52, 4)
