"""Figures of the Combat Duel: exact ones from the rules page, whole duels within their stated errors."""

from fractions import Fraction
from typing import Any

import pytest

from oddsmith.balance.figures import parse_figure
from oddsmith.errors import InputError, RulesError
from oddsmith.figure import Basis, Reading
from oddsmith.games.duel.rules import House, Rules
from oddsmith.games.duel.summaries import summarize_policy

EXAMPLE = Rules.preset("example")
SHORT = Rules(difficulty=1, player_hp=20, rounds=3, house=House(hp=10, attack_cards=((5,), (4,))))
"""A short duel with two difficulties."""
TINY = Rules(
    difficulty=1,
    player_hp=8,
    rounds=2,
    card_values=dict.fromkeys(Rules().card_values, 1),
    house=House(hp=1, hp_per_difficulty=1, attack_cards=((5,),)),
)
"""A duel that is solved in a moment."""


def read_figure(figure: str, rules: Rules = EXAMPLE, **arguments: Any) -> Reading:  # noqa: ANN401  any JSON value
    """Read a figure that is parsed as in a file."""
    return parse_figure("duel", {"figure": figure, **arguments}).read(rules)


@pytest.mark.parametrize(
    ("figure", "arguments", "expected"),
    [
        ("attack", {"cards": ["10♠", "A♦", "7♥"]}, 42),
        ("attack", {"cards": ["10♠", "A♦", "7♥"], "weapon": 0, "skill": 0}, 28),
        ("attack", {"cards": ["2♠", "2♦"], "weapon": -4, "skill": 0}, 5),
        ("defense", {"cards": ["5♣", "3♠"]}, 20),
        ("defense", {"cards": [], "armor": 7}, 16),
        ("hand.bonus", {"rank": "flush"}, 25),
        ("hand.bonus", {"rank": "flush", "side": "defense"}, 12),
        ("skill.modifier", {"skill": 70}, 21),
        ("damage.dealt", {"attack": 42, "defense": 10}, 32),
        ("damage.dealt", {"attack": 10, "defense": 42}, 1),
        ("damage.taken", {"attack": 25, "defense": 20}, 5),
        ("damage.taken", {"attack": 10, "defense": 42}, 0),
        ("opponent.hp", {}, 80),
        ("opponent.hp", {"difficulty": 10}, 150),
        ("reward.growth", {}, Fraction(8, 5)),
        ("reward.gold", {}, 120),
        ("reward.gold", {"difficulty": 9, "suit_cards": 3}, 693),
        ("reward.gold", {"ending": "defeat"}, 0),
        ("reward.experience", {"suit_cards": 5}, 88),
        ("reward.experience", {"ending": "defeat"}, 10),
        ("reward.experience", {"ending": "flight"}, 5),
        ("reward.score", {}, 170),
        ("reward.score", {"ending": "timeout"}, 151),
        ("reward.score", {"ending": "flight"}, 10),
    ],
)
def test_figures_of_cards_and_rewards_are_exact(
    figure: str, arguments: dict[str, Any], expected: Fraction
) -> None:
    """Attack, defence, hands, skills, damage and rewards are those of the rules page (§1, §2, §3.1, §6)."""
    found = read_figure(figure, **arguments)

    assert Reading(Fraction(expected)) == found


def test_a_hand_of_three_cards_is_named() -> None:
    """Three cards of different ranks are a high card (§1.4)."""
    found = read_figure("hand.rank", cards=["10♠", "A♦", "7♥"])

    assert Reading(name="high_card") == found


def test_all_defense_wins_at_every_difficulty_with_the_example_gear() -> None:
    """Even at difficulty 10 all defence wins 99.67 % of duels, within the computed bound."""
    found = read_figure("win", policy="all_defense", difficulty=10)

    assert found.basis is Basis.BOUNDED
    assert found.error < Fraction(1, 10**6)
    assert Fraction("0.9967") == round(found.value, 4)


def test_arguments_replace_difficulty_and_gear_of_the_rules() -> None:
    bare = Rules(difficulty=2)
    found = read_figure("win", policy="all_attack", difficulty=2, weapon=0, armor=0, skill=0)

    assert Fraction(summarize_policy("all_attack", bare).win) == found.value


@pytest.mark.parametrize("policy", ["random", "all_attack"])
def test_rounds_timeouts_and_gold_are_consistent(policy: str) -> None:
    """The shares of all rounds add up to 1, the mean is between the first and last, only victories pay gold."""
    whole = read_figure("rounds.share", SHORT, policy=policy, first=1, last=3)
    mean = read_figure("rounds.mean", SHORT, policy=policy)
    timeout = read_figure("timeout.share", SHORT, policy=policy)
    gold, win = read_figure("gold.mean", SHORT, policy=policy), read_figure("win", SHORT, policy=policy)

    assert abs(whole.value - 1) <= whole.error
    assert 1 - mean.error <= mean.value <= 3 + mean.error
    assert -timeout.error <= timeout.value <= 1
    assert 54 * win.low - gold.error <= gold.value <= 108 * win.high + gold.error


def test_perfect_play_wins_no_less_than_a_policy() -> None:
    """The solution is compared within its own bound."""
    best = read_figure("win", TINY, policy="optimal")
    simple = read_figure("win", TINY, policy="best_trade")

    assert best.basis is Basis.BOUNDED
    assert best.high >= simple.low


@pytest.mark.parametrize(
    ("figure", "arguments"),
    [("win", {}), ("rounds.mean", {}), ("rounds.share", {"first": 1, "last": 2}), ("gold.mean", {})],
)
def test_depleting_decks_are_played_and_estimated(figure: str, arguments: dict[str, Any]) -> None:
    """The same duels are played each time, and agree with fresh decks within twice their error."""
    given = {"policy": "all_attack", **arguments}
    found = read_figure(figure, SHORT, deck="depleting", duels=200, **given)
    computed = read_figure(figure, SHORT, **given)

    assert found.basis is Basis.ESTIMATED
    assert read_figure(figure, SHORT, deck="depleting", duels=200, **given) == found
    assert abs(found.value - computed.value) <= 2 * found.error + computed.error


def test_a_repeated_card_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        read_figure("attack", cards=["A♠", "A♠"])

    assert "card_too_often" == refused.value.refusal.code


def test_a_range_of_rounds_in_the_wrong_order_is_refused() -> None:
    with pytest.raises(InputError) as refused:
        read_figure("rounds.share", first=7, last=3)

    assert "bad_rounds" == refused.value.refusal.code


def test_a_difficulty_that_the_rules_do_not_have_is_refused() -> None:
    """The rules page has ten difficulties."""
    with pytest.raises(RulesError) as refused:
        read_figure("opponent.hp", difficulty=11)

    assert "out_of_bounds" == refused.value.refusal.code
