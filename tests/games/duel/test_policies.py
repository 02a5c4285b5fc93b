"""§8.1: choices of the simple policies."""

import numpy as np

from oddsmith.games.duel.policies import POLICIES

DEALT = np.arange(64, dtype=np.int64).reshape(2, 32)
TAKEN = np.array([[20] * 32, [5] * 31 + [70]], dtype=np.int64)


def test_8_1_there_are_four_simple_policies() -> None:
    """Their names are those of the bots."""
    assert ["random", "all_attack", "all_defense", "best_trade"] == list(POLICIES)


def test_8_1_random_gives_all_splits_equal_weight() -> None:
    """Each of the 32 splits has weight 1."""
    assert [[1] * 32] * 2 == POLICIES["random"](DEALT, TAKEN).tolist()


def test_8_1_all_attack_takes_the_first_split_and_all_defense_the_last() -> None:
    assert [[0], [0]] == [np.flatnonzero(row).tolist() for row in POLICIES["all_attack"](DEALT, TAKEN)]
    assert [[31], [31]] == [np.flatnonzero(row).tolist() for row in POLICIES["all_defense"](DEALT, TAKEN)]


def test_8_1_best_trade_takes_the_greatest_difference() -> None:
    """Dealt less taken is greatest in the last split of the first hand, and in the one before of the second."""
    assert [[31], [30]] == [np.flatnonzero(row).tolist() for row in POLICIES["best_trade"](DEALT, TAKEN)]


def test_8_1_best_trade_deals_more_where_trades_are_equal() -> None:
    """Of 30 for 20, 25 for 15 and 10 for 0 it takes the first; of two equal ones the one listed first."""
    dealt = np.array([[10, 25, 30, 30]], dtype=np.int64)

    assert [[0, 0, 1, 0]] == POLICIES["best_trade"](dealt, dealt - 10).tolist()
