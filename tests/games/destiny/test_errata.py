"""Errors of the source document: the right number holds, and the printed one differs (docs/rules/errata.md)."""

from decimal import Decimal
from fractions import Fraction

import pytest

from oddsmith.cards import cards
from oddsmith.games.destiny import (
    DEFAULT,
    Character,
    Degree,
    GangScore,
    Reward,
    Rules,
    Side,
    check,
    contest,
    gang_war,
    npc,
    reward,
    score,
    skill_bonus,
    target,
)
from oddsmith.games.destiny.classes import RANKS, hand_classes
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.points import Points
from tests.games.destiny.builders import ROYAL, TABLE, UNSKILLED, character_with


@pytest.mark.parametrize(
    ("level", "printed", "right"),
    [
        (5, "3.31", "3.23"),
        (10, "7.69", "7.31"),
        (15, "12.22", "11.41"),
        (20, "16.86", "15.53"),
        (25, "21.59", "19.65"),
        (26, "22.03", "20.47"),
        (30, "25.78", "23.78"),
        (35, "30.53", "27.92"),
        (40, "35.41", "32.06"),
        (45, "40.40", "36.21"),
        (50, "45.49", "40.37"),
        (51, "53.08", "41.2"),
        (60, "65.00", "48.69"),
        (70, "78.43", "57.02"),
        (80, "92.42", "65.36"),
        (90, "106.93", "73.72"),
        (100, "121.93", "82.09"),
    ],
)
def test_4_1_the_printed_table_is_not_the_formula(level: int, printed: str, right: str) -> None:
    """The formula is the rule; the table is available as `curve = "table"`."""
    assert Points(right) == skill_bonus(level)
    assert Points(printed) == skill_bonus(level, TABLE)
    assert Points(printed) != skill_bonus(level)


def test_4_2_the_printed_table_fits_no_formula_of_its_kind() -> None:
    """From 25 to 26 it rises by 0.44, from 50 to 51 by 7.59; the formula rises by about 0.82 each level."""
    rises = [(skill_bonus(level + 1, TABLE) - skill_bonus(level, TABLE)) for level in (25, 50)]
    by_formula = [(skill_bonus(level + 1) - skill_bonus(level)) for level in (25, 50)]

    assert [Points("0.44"), Points("7.59")] == rises
    assert [Points("0.82"), Points("0.83")] == by_formula


def test_4_1_levels_1_and_2_agree() -> None:
    """Level 2 gives 0.8, as the document says, and level 1 nothing, in the table, too."""
    assert (Points(0), Points("0.8")) == (skill_bonus(1), skill_bonus(2))
    assert Points(0) == skill_bonus(1, TABLE)


def test_4_1_level_32_of_the_examples() -> None:
    """27.28 is neither the formula's 25.44 nor the table's 27.68; the examples hold with explicit bonuses."""
    by_curves = skill_bonus(32), skill_bonus(32, TABLE)

    assert (Points("25.44"), Points("27.68")) == by_curves
    assert Points("27.28") not in by_curves
    assert Points("636.4") == score(cards("A♠ K♠ Q♠ J♠ 10♠"), character_with(spades="27.28")).total


@pytest.mark.parametrize(
    ("printed", "levels", "by_formula", "by_table"),
    [
        ("28.75", (45,), "36.21", "40.4"),
        ("22.5", (32,), "25.44", "27.68"),
        ("15", (20, 10), "22.84", "24.55"),
        ("10", (15,), "11.41", "12.22"),
    ],
)
def test_3_2_example_bonuses_match_no_curve(
    printed: str, levels: tuple[int, ...], by_formula: str, by_table: str
) -> None:
    """The named skills alone give more than the printed sum, which includes others."""
    given = [
        sum((skill_bonus(level, rules) for level in levels), start=Points(0)) for rules in (DEFAULT, TABLE)
    ]

    assert [Points(by_formula), Points(by_table)] == given
    assert Points(printed) < min(given)


def test_3_2_the_worked_suit_score_holds_with_explicit_bonuses() -> None:
    """3 × 22.5 + 15 + 28.75 = 111.25."""
    outlaw = character_with(clubs="28.75", spades="22.5", hearts=15, diamonds=10)

    assert Points("111.25") == score(cards("A♠ K♠ Q♠ 7♣ 3♥"), outlaw).suit


@pytest.mark.parametrize(
    ("tier", "printed", "right"),
    [
        ("rookie", "7.69", "7.31"),
        ("competent", "16.86", "15.53"),
        ("veteran", "30.53", "27.92"),
        ("elite", "45.49", "40.37"),
        ("legendary", "78.43", "57.02"),
    ],
)
def test_8_4_npc_bonuses_come_from_the_curve(tier: str, printed: str, right: str) -> None:
    """The printed ones are those of the table."""
    assert {Points(right)} == set(npc(tier).bonuses.values())
    assert {Points(printed)} == set(npc(tier, TABLE).bonuses.values())
    assert Points(printed) != Points(right)


def test_1_2_a_printed_high_card_is_a_straight() -> None:
    """A♠ K♠ Q♣ J♥ 10♦ has a base of 150, not the 39 of a high card."""
    scored = score(cards("A♠ K♠ Q♣ J♥ 10♦"), UNSKILLED)

    assert (HandRank.STRAIGHT, Points(150)) == (scored.rank, scored.base)
    assert HandRank.HIGH_CARD != scored.rank
    assert Points(14 + 13 + 12) != scored.base


def test_3_1_test_case_2_has_another_total() -> None:
    """150 + 2 × 78.43 is 306.86, not 228.43; 500 wins against either."""
    attacker = score(cards("K♥ J♥ 9♥ 7♥ 4♥"), character_with(hearts="65.00"))
    defender = score(cards("9♣ 8♠ 7♦ 6♥ 5♣"), character_with(clubs="78.43"))

    assert (Points(500), Points("306.86")) == (attacker.total, defender.total)
    assert Points("228.43") != defender.total
    assert Side.ATTACKER == contest(attacker, defender).winner


def test_2_1_test_case_4_has_another_base() -> None:
    """The base of a straight flush is 400, not 404.5; the total of 804.5 is right."""
    scored = score(cards("K♠ Q♠ J♠ 10♠ 9♠"), character_with(spades="80.90"))

    assert (Points(400), Points("404.5"), Points("804.5")) == (scored.base, scored.suit, scored.total)
    assert Points("404.5") != scored.base
    assert Points("404.5") + Points("404.5") != scored.total


def test_9_2_a_gang_scores_its_average() -> None:
    """The text says sum, the code divides: the average of 500 and 34 is 267; the sum is an option."""
    side = [score(cards(held), UNSKILLED) for held in ("A♠ K♠ Q♠ J♠ 10♠", "A♠ K♦ 7♣ 5♥ 2♠")]

    assert GangScore.AVERAGE == DEFAULT.gang_score
    assert Fraction(267) == gang_war(side, side).attack
    assert Fraction(534) != gang_war(side, side).attack
    assert Fraction(534) == gang_war(side, side, Rules(gang_score=GangScore.SUM)).attack


def test_9_2_best_three_of_two() -> None:
    """The document would read a missing third score; here the two are averaged."""
    side = [score(cards(held), UNSKILLED) for held in ("A♠ K♠ Q♠ J♠ 10♠", "A♠ K♦ 7♣ 5♥ 2♠")]
    best = gang_war(side, side, Rules(gang_score=GangScore.BEST)).attack

    assert Fraction(534, 2) == best
    assert Fraction(534, 3) != best


def test_6_1_the_total_is_floored() -> None:
    """16 − 25 is 0, where the document's main routine would give −9."""
    scored = score(cards("7♠ 5♥ 4♣ 3♦ 2♥"), Character(buffs={"poisoned": 0}))

    assert Points(0) == scored.total
    assert Points(-9) == scored.base + scored.suit + scored.modifiers
    assert Points(-9) != scored.total


def test_4_1_the_exponential_term_is_a_power() -> None:
    """100^1.1 is 158.49, not 1.1^100 = 13780.61; the keys of the rules are exponent and coefficient."""
    rules = Rules(curve_linear=Decimal(0), curve_coefficient=Decimal(1), max_level=101)

    assert Points("158.49") == skill_bonus(101, rules)
    assert Points("13780.61") == Points.nearest(Decimal("1.1") ** 100)
    assert Points("13780.61") != skill_bonus(101, rules)
    assert {"curve_exponent", "curve_coefficient"} <= set(Rules.__struct_fields__)
    assert not any("exponential" in field for field in Rules.__struct_fields__)


def test_2_3_high_cards_overlap_pairs() -> None:
    """High cards have 16 to 39 and pairs 34 to 44; a pair of 2s with an ace beats aces with a king. Kept."""
    table = hand_classes()
    reached = {
        rank: {
            extra
            for place, extra in zip(table.rank.tolist(), table.extra.tolist(), strict=True)
            if RANKS[place] is rank
        }
        for rank in (HandRank.HIGH_CARD, HandRank.PAIR)
    }
    twos, aces = (score(cards(held), UNSKILLED) for held in ("2♠ 2♥ A♣ 7♦ 3♠", "A♠ A♥ K♣ 7♦ 3♠"))

    assert (16, 39) == (min(reached[HandRank.HIGH_CARD]), max(reached[HandRank.HIGH_CARD]))
    assert (34, 44) == (30 + min(reached[HandRank.PAIR]), 30 + max(reached[HandRank.PAIR]))
    assert (Points(44), Points(43)) == (twos.total, aces.total)
    assert Side.ATTACKER == contest(twos, aces).winner


def test_10_2_rewards_are_not_in_the_document() -> None:
    """It says "2× gold, 2× XP" of numbers it does not give.

    Here: a fifth of the threshold, and the energy.
    """
    paid = {degree: reward(DEFAULT.crimes["bank_robbery"], degree) for degree in Degree}

    assert {
        Degree.CRITICAL_SUCCESS: Reward(Points(110), Points(100)),
        Degree.SUCCESS: Reward(Points(55), Points(50)),
        Degree.FAILURE: Reward(Points("-5.5"), Points(0)),
        Degree.CRITICAL_FAILURE: Reward(Points("-27.5"), Points(0), "poisoned"),
    } == paid


def test_8_7_max_damage_is_not_defined_in_the_document() -> None:
    """Here damage is 10 and a tenth of the margin, twice for a critical success, at most 100; a royal flush deals 100."""
    royal, pair = score(cards("A♠ K♠ Q♠ J♠ 10♠"), UNSKILLED), score(cards("7♣ 7♥ A♦ K♠ 3♣"), UNSKILLED)
    strong = score(cards("7♣ 7♥ A♦ K♠ 3♣"), character_with(clubs=200))

    assert (Points(456), Points(100)) == (contest(royal, pair).margin, contest(royal, pair).damage)
    assert (Points(400), Points(100)) == (contest(strong, pair).margin, contest(strong, pair).damage)
    assert Points(100) == contest(royal, strong, ROYAL).damage
    assert Points("15.6") == contest(royal, strong).damage


def test_10_4_a_critical_failure_inflicts_the_debuff_of_the_document() -> None:
    """The document inflicts "poisoned" nowhere; its numbers are kept."""
    assert "poisoned" == reward(DEFAULT.crimes["pickpocket"], Degree.CRITICAL_FAILURE).buff
    assert (600, Points(-25)) == (DEFAULT.buffs["poisoned"].duration, DEFAULT.buffs["poisoned"].flat)


def test_7_5_the_royal_rule_is_an_option() -> None:
    """A royal flush of 500 against 650 fails critically by default and is a critical success by the option."""
    royal = score(cards("A♠ K♠ Q♠ J♠ 10♠"), UNSKILLED)

    assert not DEFAULT.royal_flush_auto_win
    assert Degree.CRITICAL_FAILURE == check(royal, target("650").threshold).degree
    assert Degree.CRITICAL_SUCCESS == check(royal, target("650").threshold, ROYAL).degree


def test_1_2_a_high_card_may_have_matching_suits() -> None:
    """The text says no matching ranks or suits; its example has two spades and is a high card of 34."""
    scored = score(cards("A♠ K♦ 7♣ 5♥ 2♠"), UNSKILLED)

    assert (HandRank.HIGH_CARD, Points(34)) == (scored.rank, scored.base)
    assert max(scored.suit_counts.values()) > 1


def test_8_3_identical_hands_are_decided_by_suits() -> None:
    """The main routine would let a charm's 15 points win; with the same five cards suits decide, and tie."""
    held = cards("A♥ K♦ 7♣ 5♥ 2♣")
    charmed, plain = score(held, Character(items=("lucky_ace_charm",))), score(held, UNSKILLED)

    assert charmed.total > plain.total
    assert (Side.DEFENDER, "tie") == (contest(charmed, plain).winner, contest(charmed, plain).why)


def test_5_6_the_defence_bonus_is_multiplied() -> None:
    """The text adds 15 as it is, the tuning list multiplies it: 15 by default, 22.5 at half as much again."""
    rules = Rules(territory_defense_multiplier=Decimal("1.5"))
    by_default, tuned = (
        score(cards("10♣ 10♠ 9♣ 7♥ 5♣"), UNSKILLED, ruled, defense_bonus=Points(15)).modifiers
        for ruled in (DEFAULT, rules)
    )

    assert (Points(15), Points("22.5")) == (by_default, tuned)
