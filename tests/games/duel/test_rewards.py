"""Rewards of a duel with the house (§6)."""

from decimal import Decimal

import pytest

from oddsmith.cards import cards
from oddsmith.games.duel import DEFAULT, Ending, Result, Rewards, Rules
from oddsmith.games.duel.rules import RelevantSuit
from oddsmith.games.duel.scoring import Objective, house_flight_result, house_result, relevant_cards
from tests.games.duel.builders import LOW, fight_house, result_of, round_with_house


def victory_result(
    rules: Rules, relevant: int = 0, *, hp: int = 100, number: int = 1, other: int = 0
) -> Result:
    """Return the result of a victory."""
    result = house_result(hp, other, number, relevant, rules)
    assert result is not None
    assert 0 == result.winner
    return result


@pytest.mark.parametrize(
    ("difficulty", "gold", "experience"),
    [
        (1, 54, 28),
        (2, 84, 36),
        (3, 120, 44),
        (4, 162, 52),
        (5, 210, 60),
        (6, 264, 68),
        (7, 324, 76),
        (8, 390, 84),
        (9, 462, 92),
        (10, 540, 100),
    ],
)
def test_6_1_gold_and_6_2_experience(difficulty: int, gold: int, experience: int) -> None:
    """⌊(30 + 15·d)·(1 + 0.2·d)⌋ and 20 + 8·d without a card of the relevant suit; 462 gold at difficulty 9."""
    paid = victory_result(Rules(difficulty=difficulty))

    assert (gold, experience) == (paid.gold, paid.experience)


@pytest.mark.parametrize(
    ("relevant", "gold", "experience"),
    [(0, 120, 44), (1, 132, 48), (2, 150, 55), (3, 180, 66), (4, 210, 77), (5, 240, 88)],
)
def test_6_3_the_suit_bonus_at_difficulty_3(relevant: int, gold: int, experience: int) -> None:
    """1, 1.1, 1.25, 1.5, 1.75 or 2 times 120 gold and 44 experience, rounded down."""
    paid = victory_result(DEFAULT, relevant)

    assert (gold, experience) == (paid.gold, paid.experience)


@pytest.mark.parametrize(("relevant", "gold"), [(0, 462), (1, 508), (2, 577), (3, 693), (4, 808), (5, 924)])
def test_6_1_gold_at_difficulty_9_is_exact(relevant: int, gold: int) -> None:
    """462 times the suit bonus."""
    assert gold == victory_result(Rules(difficulty=9), relevant).gold


@pytest.mark.parametrize(
    ("held", "suit", "count"),
    [
        ("2♣ 5♣ 9♣ J♣ A♣", RelevantSuit.CLUBS, 5),
        ("2♠ 5♥ 9♦ J♠ A♣", RelevantSuit.CLUBS, 1),
        ("2♠ 5♥ 9♦ J♠ A♣", RelevantSuit.SPADES, 2),
        ("2♠ 5♥ 9♦ J♠ A♣", RelevantSuit.HEARTS, 1),
        ("2♠ 5♥ 9♦ J♠ A♦", RelevantSuit.DIAMONDS, 2),
        ("2♣ 5♣ 9♣ J♣ A♣", RelevantSuit.NONE, 0),
    ],
)
def test_6_3_relevant_cards_are_counted(held: str, suit: RelevantSuit, count: int) -> None:
    """Clubs by default, or another suit, or none."""
    assert RelevantSuit.CLUBS == DEFAULT.relevant_suit
    assert count == relevant_cards(cards(held), Rules(relevant_suit=suit))


def test_6_3_the_last_hand_counts_on_either_side() -> None:
    """Two clubs, one in defence: 1.25 times 120 gold; with hearts, one: 1.1; with none, 1."""
    gold = {
        suit: result_of(
            fight_house(
                round_with_house("10♠ Q♠ K♥ 2♣ A♣", LOW, Rules(relevant_suit=suit), hp=(100, 5)),
                defending=(3,),
            )
        ).gold
        for suit in RelevantSuit
    }

    assert {"spades": 150, "hearts": 132, "clubs": 150, "diamonds": 120, "none": 120} == gold


def test_6_3_with_no_suit_the_bonus_is_1() -> None:
    """Also where the rules give another factor for no cards."""
    generous = Rewards(suit_bonuses=(Decimal(2),) * 6)

    assert 120 == victory_result(Rules(rewards=generous, relevant_suit=RelevantSuit.NONE)).gold
    assert 240 == victory_result(Rules(rewards=generous)).gold


def test_6_4_a_timeout_pays_its_share_rounded_down_once() -> None:
    """28 · 1.1 · 0.75 is 23.1; rounded in between it would be 22. The score is not shared."""
    rules = Rules(difficulty=1, timeout_rewards=Decimal("0.75"))
    timeout, knock_out = victory_result(rules, 1, number=20, other=1), victory_result(rules, 1, number=20)

    assert (Ending.TIMEOUT, 44, 23) == (timeout.why, timeout.gold, timeout.experience)
    assert (Ending.KNOCK_OUT, 59, 30) == (knock_out.why, knock_out.gold, knock_out.experience)
    assert timeout.score == knock_out.score == 151


def test_6_4_a_timeout_pays_in_full_by_default() -> None:
    """120 gold and 44 experience at difficulty 3."""
    paid = victory_result(DEFAULT, number=20, other=1)

    assert (Ending.TIMEOUT, 120, 44) == (paid.why, paid.gold, paid.experience)


@pytest.mark.parametrize(("hp", "opponent"), [(0, 5), (1, 80)])
def test_6_5_a_defeat_pays_10_experience(hp: int, opponent: int) -> None:
    """By knock-out or timeout: no gold, score 0."""
    result = house_result(hp, opponent, 20, relevant=5, rules=DEFAULT)

    assert result is not None
    assert (1, 0, 0, 10) == (result.winner, result.score, result.gold, result.experience)


@pytest.mark.parametrize(
    ("hp", "number", "score"),
    [
        (100, 1, 170),  # 100 + 50 + 20
        (48, 4, 129),  # 100 + 24 + 5
        (33, 3, 123),  # 100 + 16.5 + 6.67, rounded down once
        (1, 20, 101),  # 100 + 0.5 + 1
        (0, 1, 120),  # a double knock-out
    ],
)
def test_6_6_the_score_of_a_victory(hp: int, number: int, score: int) -> None:
    """⌊100 + 50 · share of hit points left + 20 / rounds fought⌋."""
    assert score == victory_result(DEFAULT, hp=hp, number=number).score


def test_6_6_the_share_is_of_the_players_full_hit_points() -> None:
    """50 of 200 are a quarter: 100 + 12.5 + 20."""
    assert 132 == victory_result(Rules(player_hp=200), hp=50).score


def test_6_7_a_flight_pays_5_experience() -> None:
    """No gold, score 10."""
    assert Result(why=Ending.FLIGHT, winner=None, score=10, gold=0, experience=5) == house_flight_result(
        DEFAULT
    )


def test_6_every_number_is_a_rule() -> None:
    """For example gold (1 + 2·3)·(1 + 1·3) = 28, experience 3 + 4·3, score 5 + 6/2 + 8/2."""
    rules = Rules(
        rewards=Rewards(
            gold=1,
            gold_per_difficulty=2,
            gold_growth=Decimal(1),
            experience=3,
            experience_per_difficulty=4,
            score=5,
            score_for_hp=6,
            score_for_speed=8,
            defeat_experience=11,
            flee_experience=12,
            flee_score=13,
        )
    )
    paid, lost, fled = (
        victory_result(rules, hp=50, number=2),
        house_result(0, 1, 1, 0, rules),
        house_flight_result(rules),
    )

    assert (28, 15, 12) == (paid.gold, paid.experience, paid.score)
    assert lost is not None
    assert (11, 12, 13) == (lost.experience, fled.experience, fled.score)


@pytest.mark.parametrize(
    ("objective", "payoff"),
    [(Objective.WIN, 1.0), (Objective.GOLD, 54.0), (Objective.EXPERIENCE, 28.0), (Objective.SCORE, 90.0)],
)
def test_8_2_an_objective_is_one_part_of_the_result(objective: Objective, payoff: float) -> None:
    """A victory is 1 for a player who plays to win."""
    result = Result(why=Ending.KNOCK_OUT, winner=0, score=90, gold=54, experience=28)

    assert payoff == objective.payoff(result)
