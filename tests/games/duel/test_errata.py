"""Every line of the Combat Duel's errata: the original document and the rules here."""

from itertools import product
from math import floor

import pytest

from oddsmith.cards import STANDARD_DECK, cards
from oddsmith.errors import IllegalMove
from oddsmith.games.duel import (
    DEFAULT,
    GAME,
    Ending,
    Fighter,
    House,
    Rules,
    SelectAttack,
    SelectDefense,
    attack,
    damage,
    defense,
    skill_modifier,
)
from oddsmith.games.duel.engine import FULL_DECK
from oddsmith.games.duel.rules import EmptySide, Favor
from oddsmith.games.duel.scoring import house_flight_result, house_result, player_result
from oddsmith.poker import HandRank
from tests.games.duel.builders import (
    BARE,
    EXAMPLE_HOUSE,
    FIGHT,
    FIGHTER,
    LOW,
    ROYAL,
    act,
    deal,
    exchange_numbers,
    fight_house,
    fight_rival,
    hand,
    objection_to,
    refusal,
    result_of,
    round_between_players,
    round_with_house,
)

ALL = (0, 1, 2, 3, 4)
BONUSES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)


def victory_rewards(difficulty: int, relevant: int) -> tuple[int, int]:
    """Return the gold and experience of a victory."""
    result = house_result(100, 0, 1, relevant, Rules(difficulty=difficulty))
    assert result is not None
    return result.gold, result.experience


def floating_point_rewards(difficulty: int, suit_bonus: float) -> tuple[int, int]:
    """Return the rewards as the document's code computes them."""
    multiplier = 1 + (difficulty * 0.2)
    gold = floor((30 + difficulty * 15) * multiplier * suit_bonus)
    return gold, floor((20 + difficulty * 8) * suit_bonus)


def test_6_3_the_suit_bonus_is_not_in_the_document() -> None:
    """1 to 2 agree with the example's 120 to 240, in six steps."""
    assert tuple(map(str, (1.0, 1.1, 1.25, 1.5, 1.75, 2.0))) == tuple(map(str, DEFAULT.rewards.suit_bonuses))
    assert (120, 240) == (victory_rewards(3, 0)[0], victory_rewards(3, 5)[0])


def test_6_1_the_example_at_difficulty_3_is_exact() -> None:
    """The "~120-240" gold and "~44-88" XP are 120 to 240 and 44 to 88, with four steps in between."""
    assert [(120, 44), (132, 48), (150, 55), (180, 66), (210, 77), (240, 88)] == [
        victory_rewards(3, relevant) for relevant in range(6)
    ]


@pytest.mark.parametrize(("relevant", "printed", "right"), [(0, 461, 462), (3, 692, 693), (5, 923, 924)])
def test_6_1_floating_point_loses_one_gold_at_difficulty_9(relevant: int, printed: int, right: int) -> None:
    """165 · 2.8 is 461.99… there."""
    assert printed == floating_point_rewards(9, BONUSES[relevant])[0]
    assert right == victory_rewards(9, relevant)[0]


def test_6_1_other_floating_point_rewards_are_right() -> None:
    """Of 60 sums of gold three differ, and of 60 of experience none."""
    cases = list(product(range(1, 11), range(6)))
    exact = {case: victory_rewards(*case) for case in cases}
    rounded = {
        (level, relevant): floating_point_rewards(level, BONUSES[relevant]) for level, relevant in cases
    }

    assert [(9, 0), (9, 3), (9, 5)] == [case for case in cases if exact[case] != rounded[case]]
    assert [exact[case][1] for case in cases] == [rounded[case][1] for case in cases]


def test_3_1_the_opponents_hit_points_are_not_in_the_document() -> None:
    """The example's 80 are those of difficulty 3."""
    assert [3] == [level for level in range(1, 11) if Rules(difficulty=level).opponent_hp == 80]


def test_3_6_the_examples_opponent_is_possible() -> None:
    """Attack 25 and defence 10: 9 + 8 + 5 and difficulty 3; two fours with half a pair's bonus."""
    view = GAME.view(round_with_house(theirs="4♠ 9♠ 8♥ 5♣ 4♦", count=3), 0).sides[1]
    assert view.hand is not None
    assert view.attack is not None
    attacking = [view.hand[place] for place in view.attack]
    rest = [held for held in view.hand if held not in attacking]

    assert (25, 10) == (
        attack(attacking, DEFAULT.house_fighter).total,
        defense(rest, DEFAULT.house_fighter).total,
    )


def test_1_4_three_cards_cannot_be_a_flush() -> None:
    """Nor can four, and neither can be a straight; the example's question does not arise."""
    assert {HandRank.HIGH_CARD} == {
        attack(cards(held), BARE).rank for held in ("10♠ A♦ 7♥", "10♠ A♠ 7♠", "2♠ 5♠ 7♠ A♠", "5♠ 6♥ 7♣ 8♦")
    }
    assert (HandRank.FLUSH, 25) == (
        attack(cards("2♠ 5♠ 7♠ J♠ A♠"), BARE).rank,
        attack(cards("2♠ 5♠ 7♠ J♠ A♠"), BARE).bonus,
    )


def test_1_5_half_is_rounded_down() -> None:
    """Half of 5, 15, 25 and 35 is printed as 2, 7, 12 and 17."""
    halves = {bonus: DEFAULT.defense_bonuses[rank] for rank, bonus in DEFAULT.hand_bonuses.items()}

    assert {5: 2, 15: 7, 25: 12, 35: 17} == {bonus: half for bonus, half in halves.items() if bonus % 2}
    assert all(2 * half == bonus for bonus, half in halves.items() if not bonus % 2)


def test_2_4_a_side_without_cards_has_gear_and_skill() -> None:
    """By the formula weapon 5 and skill 9, or 0 under the other rule."""
    assert 14 == attack((), FIGHTER).total
    assert 0 == attack((), FIGHTER, Rules(empty_side=EmptySide.NOTHING)).total


def test_2_6_at_least_1_is_dealt_and_at_least_0_taken() -> None:
    """A full defence on both sides: the player deals 1 and takes 0; between players both take 1."""
    passive = Rules(house=House(attack_cards=((0,),) * 10, weapon_per_difficulty=0))
    house = exchange_numbers(fight_house(round_with_house(ROYAL, LOW, passive), defending=ALL))
    players = exchange_numbers(fight_rival(round_between_players(ROYAL, LOW), ALL, ALL))

    assert (1, 0) == (house[0][2], house[1][2])
    assert (1, 1) == (players[0][2], players[1][2])


def test_2_2_the_first_of_two_floors_has_no_effect_for_the_player() -> None:
    """For any attack and defence, flooring the attack first deals the same; the house gains one point by it."""
    sums = range(-30, 31)

    assert all(
        damage(max(1, total), defending, 1) == damage(total, defending, 1)
        for total, defending in product(sums, range(31))
    )
    assert [(total, 0) for total in range(-30, 1)] == [
        (total, defending)
        for total, defending in product(sums, range(31))
        if damage(max(1, total), defending, 0) != damage(total, defending, 0)
    ]


def test_5_2_a_double_knock_out_is_a_victory() -> None:
    """Victory is tested first; other results are options."""
    winners = {
        favor: result_of(act(round_with_house(ROYAL, LOW, Rules(double_ko=favor), hp=(1, 1)), FIGHT)).winner
        for favor in Favor
    }

    assert {Favor.PLAYER: 0, Favor.OPPONENT: 1, Favor.DRAW: None} == winners
    assert Favor.PLAYER is DEFAULT.double_ko


def test_2_7_hit_points_end_at_0() -> None:
    """The document would leave 5 − 96."""
    assert 0 == act(round_with_house(ROYAL, LOW, hp=(100, 5)), FIGHT).state.sides[1].hp


def test_3_2_a_deck_has_ten_hands() -> None:
    """Twenty rounds need a hundred cards of 52; after ten hands two are left and all are reshuffled."""
    rules = Rules(player_hp=1000, house=House(hp=1000), difficulty=4)
    state = GAME.setup(rules, 1)
    left = []
    for start in range(0, 50, 5):
        for _ in range(2):
            state = deal(state, " ".join(map(str, FULL_DECK[start : start + 5])))
        left.append(len(state.sides[0].deck))
        state = act(state, FIGHT).state

    assert [47, 42, 37, 32, 27, 22, 17, 12, 7, 2] == left
    assert sorted(STANDARD_DECK) == list(state.sides[0].deck)


def test_5_3_percentages_are_compared_exactly() -> None:
    """33 of 100 is more than 26 of 80, though 32.5 rounds to 33, too."""
    result = house_result(33, 26, 20, 0, Rules(timeout_tie=Favor.OPPONENT))

    assert floor(100 * 33 / 100 + 0.5) == floor(100 * 26 / 80 + 0.5) == 33
    assert result is not None
    assert 0 == result.winner


def test_5_4_equal_shares_go_to_the_player() -> None:
    """50 of 100 and 40 of 80; between players it is a draw."""
    result, between = house_result(50, 40, 20, 0, DEFAULT), player_result((50, 50), 20, DEFAULT)

    assert result is not None
    assert between is not None
    assert (0, None) == (result.winner, between.winner)


def test_6_4_a_timeout_pays_as_a_victory() -> None:
    """120 gold and 44 experience at difficulty 3, by default."""
    result = house_result(100, 1, 20, 0, DEFAULT)

    assert result is not None
    assert (Ending.TIMEOUT, 120, 44) == (result.why, result.gold, result.experience)


def test_6_5_fleeing_pays_less_than_losing() -> None:
    """5 experience against 10, but a score of 10 against 0."""
    lost, fled = house_result(0, 1, 1, 0, DEFAULT), house_flight_result(DEFAULT)

    assert lost is not None
    assert (10, 0) == (lost.experience, lost.score)
    assert (5, 10) == (fled.experience, fled.score)
    assert lost.gold == fled.gold == 0


def test_6_6_the_score_of_a_victory_is_not_in_the_document() -> None:
    """From 101, with one of 100 hit points in round 20, to 170."""
    scores = [house_result(hp, 0, number, 0, DEFAULT) for hp, number in ((1, 20), (100, 1))]

    assert [101, 170] == [result.score for result in scores if result is not None]


def test_4_1_effects_of_a_selection_are_not_in_the_document() -> None:
    """It replaces the earlier one, takes its cards off the other side, and must be in the hand."""
    state = act(act(round_with_house(), SelectAttack((0, 1, 2))).state, SelectDefense((2, 3))).state

    assert ((0, 1), (2, 3)) == (state.sides[0].attack, state.sides[0].defense)
    assert ["bad_index", "repeated_index"] == [
        objection_to(state, SelectAttack(places)).code for places in ((5,), (1, 1))
    ]


def test_2_1_a_skill_below_30_has_a_modifier() -> None:
    """1 from skill 4 on, 3 at 10."""
    assert (0, 1, 3) == (skill_modifier(3), skill_modifier(4), skill_modifier(10))


def test_1_2_a_card_adds_the_same_to_either_side() -> None:
    """An ace adds 11 to attack and to defence, a two 2; only bonuses are larger in attack."""
    for held in STANDARD_DECK:
        assert attack((held,), BARE).total == defense((held,), BARE).total
    assert (27, 24) == (attack(cards("A♠ A♥"), BARE).total, defense(cards("A♠ A♥"), BARE).total)


def test_2_5_the_bounds_of_gear_are_not_in_the_document() -> None:
    """−1000 to 1000."""
    assert Fighter(weapon=-1000, armor=1000).armor == 1000
    assert ["weapon", "armor"] == [
        refusal(ask).where for ask in (lambda: Fighter(weapon=-1001), lambda: Fighter(armor=1001))
    ]


def test_3_4_the_opponent_does_not_move_in_real_time() -> None:
    """It has split before the player's hand is dealt."""
    state = deal(GAME.setup(Rules(difficulty=4), 1), EXAMPLE_HOUSE)

    assert ((1, 2, 3), (), hand(EXAMPLE_HOUSE)) == (
        state.sides[1].attack, state.sides[0].hand, state.sides[1].hand
    )  # fmt: skip
    assert "not_your_turn" == refusal(lambda: act(state, FIGHT), IllegalMove).code
