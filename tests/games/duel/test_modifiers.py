"""§2.8: critical hits, in scoring, in the engine and in the odds."""

from decimal import Decimal

import numpy as np
import pytest

from oddsmith.cards import cards
from oddsmith.errors import RulesError
from oddsmith.games.duel import Criticals, Fighter, Rules, attack, defense
from oddsmith.games.duel.classes import hand_kinds, split_powers
from oddsmith.games.duel.policies import all_attack
from oddsmith.games.duel.policy_odds import round_distribution
from oddsmith.games.duel.rules import RelevantSuit
from oddsmith.games.duel.scoring import SPLITS, split
from oddsmith.poker import HandRank
from tests.games.duel.builders import refusal

CRITICAL = Rules.preset("criticals")
KINGS = cards("K♠ K♥ K♣")


def test_2_8_a_critical_hit_is_multiplied_and_rounded_down_once() -> None:
    """Three kings: 30 + 15 = 45, and half of it is 22."""
    power = attack(KINGS, Fighter(), CRITICAL)

    assert (67, 22) == (power.total, power.critical)


def test_2_8_the_whole_sum_is_multiplied_gear_and_skill_included() -> None:
    """45 + 5 + 9 = 59, and 1.5 times that is 88."""
    power = attack(KINGS, Fighter(weapon=5, skill=30), CRITICAL)

    assert 88 == power.total == power.values + power.bonus + power.gear + power.skill + power.critical


@pytest.mark.parametrize("hand", ["K♠ K♥", "K♠ K♥ 2♣ 2♦", "A♠ K♥"])
def test_2_8_lower_hands_are_no_critical_hits(hand: str) -> None:
    assert attack(cards(hand), Fighter(), Rules()) == attack(cards(hand), Fighter(), CRITICAL)


@pytest.mark.parametrize("rank", HandRank)
def test_2_8_a_rank_and_all_higher_ones_are_critical(rank: HandRank) -> None:
    rules = Rules(criticals=Criticals(rank=rank, factor=Decimal(2)))
    order = list(HandRank)

    assert {*order[: order.index(rank) + 1]} == rules.critical_ranks


def test_2_8_defence_has_no_critical_hits_and_a_sum_below_0_is_not_multiplied() -> None:
    assert defense(KINGS, Fighter(), Rules()) == defense(KINGS, Fighter(), CRITICAL)
    assert 0 == attack(KINGS, Fighter(weapon=-100), CRITICAL).critical


def test_2_8_by_default_there_are_none() -> None:
    assert frozenset() == Rules().critical_ranks
    assert 45 == attack(KINGS, Fighter(), Rules()).total


def test_2_8_the_factor_is_bounded() -> None:
    refused = refusal(lambda: Rules(criticals=Criticals(factor=Decimal(101))), RulesError)

    assert ("out_of_bounds", "criticals.factor") == (refused.code, refused.where)


def test_2_8_the_odds_have_the_powers_of_the_rule() -> None:
    """Every split of every 50th kind of hand: the solver's and the odds' arrays are those of `attack`."""
    powers, gear = split_powers(Fighter(weapon=3), CRITICAL), Fighter(weapon=3)
    for kind in range(0, len(hand_kinds()), 50):
        totals = [
            attack(split(hand_kinds().hands[kind], defends)[0], gear, CRITICAL).total for defends in SPLITS
        ]

        assert totals == powers.attack[kind].tolist()


def test_2_8_critical_hits_move_the_damage_of_a_round() -> None:
    """All attack against the house at difficulty 10, whose defence is 0: the mean damage is that of all hands, by brute force."""
    rules = Rules(difficulty=10, relevant_suit=RelevantSuit.NONE, criticals=CRITICAL.criticals)
    distribution = round_distribution(all_attack, rules)
    ways = distribution.ways.sum(axis=(0, 2))
    kinds = hand_kinds()
    dealt = sum(
        int(count) * attack(hand, Fighter(), rules).total
        for hand, count in zip(kinds.hands, kinds.ways.sum(axis=1), strict=True)
    )

    assert dealt * (distribution.total // 2598960) == int((np.arange(len(ways)) * ways).sum())
