"""Duel summaries for figures and checks: computed once and stored in the disk cache."""

from pathlib import Path

import numpy as np
import pytest

from oddsmith import disk_cache
from oddsmith.games.duel import summaries
from oddsmith.games.duel.rules import House, Rewards, Rules
from oddsmith.games.duel.summaries import BLIND_POLICIES, Chances, blind_chances, summarize_policy

SHORT = Rules(difficulty=2, player_hp=15, rounds=2, house=House(hp=5, attack_cards=((5,), (1, 2))))


@pytest.fixture(autouse=True)
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Give each test an empty disk cache and clear the cache in memory."""
    monkeypatch.setenv(disk_cache.VARIABLE, str(tmp_path))
    summaries._blind_chances.cache_clear()


def test_blind_chances_are_those_of_each_policy_at_each_difficulty() -> None:
    """Rewards, the deck and the difficulty of the rules change none of them."""
    found = blind_chances(SHORT.replace(rewards=Rewards(gold=99)))
    expected = {
        (policy, level): Chances(ends.win, ends.timeout_win, ends.error)
        for policy in BLIND_POLICIES
        for level in (1, 2)
        for ends in [summarize_policy(policy, SHORT.replace(difficulty=level, relevant_suit="none"))]
    }

    assert expected == found


def test_blind_chances_are_read_from_the_disk_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached values are not computed again."""
    first = blind_chances(SHORT)
    summaries._blind_chances.cache_clear()
    monkeypatch.delattr(summaries, "summarize_policy")

    assert first == blind_chances(SHORT)


def test_a_cached_array_of_another_shape_is_computed_again(tmp_path: Path) -> None:
    first = blind_chances(SHORT)
    (kept,) = tmp_path.glob("duel-blind-*.npz")
    disk_cache.store(kept.stem, {"chances": np.zeros((1, 3))}, summaries.CHANCES_HEADER)
    summaries._blind_chances.cache_clear()

    assert first == blind_chances(SHORT)
