"""§8.1: choices of the simple policies."""

from typing import TYPE_CHECKING

import numpy as np
import pytest

from oddsmith.games.duel.model import BOT_NAMES
from oddsmith.games.duel.policies import POLICIES
from oddsmith.games.duel.scoring import SPLITS

if TYPE_CHECKING:
    from collections.abc import Callable

DEALT = np.arange(64, dtype=np.int64).reshape(2, 32)
TAKEN = np.array([[20] * 32, [5] * 31 + [70]], dtype=np.int64)


def test_8_1_every_policy_is_a_bot() -> None:
    """Four simple ones, and three for the source's builds."""
    assert [
        "random",
        "all_attack",
        "all_defense",
        "best_trade",
        "four_one",
        "balanced",
        "defensive",
    ] == list(POLICIES)
    assert {*POLICIES, "optimal"} == {*BOT_NAMES}


@pytest.mark.parametrize(("name", "counts"), [("four_one", {1}), ("balanced", {2, 3}), ("defensive", {3, 4})])
def test_8_3_a_build_attacks_with_as_many_cards_as_the_source_says(name: str, counts: set[int]) -> None:
    """Of its splits it takes the best by its own measure; brute force over the 32 splits agrees."""
    random = np.random.default_rng(7)
    dealt, taken = random.integers(0, 6, (50, 32)), random.integers(0, 6, (50, 32))
    order: dict[str, Callable[[int, int], tuple[int, int]]] = {
        "four_one": lambda out, lost: (out, -lost),
        "balanced": lambda out, lost: (out - lost, out),
        "defensive": lambda out, lost: (-lost, out),
    }
    for row, out, lost in zip(POLICIES[name](dealt, taken), dealt.tolist(), taken.tolist(), strict=True):
        (chosen,) = np.flatnonzero(row).tolist()
        allowed = [place for place, defends in enumerate(SPLITS) if sum(defends) in counts]

        assert chosen == max(allowed, key=lambda place: order[name](out[place], lost[place]))


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
