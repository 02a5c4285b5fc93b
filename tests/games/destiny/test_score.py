"""The score of a hand: base, suits and modifiers (§1 to §6)."""

from decimal import Decimal, localcontext
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import JOKERS, STANDARD_DECK, Card, Suit, cards
from oddsmith.errors import Refusal
from oddsmith.games.destiny import (
    DEFAULT,
    Buff,
    Character,
    Item,
    Rules,
    character_bonuses,
    npc,
    score,
    skill_bonus,
)
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.model import Modifier
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.points import Points
from tests.games.destiny.builders import TABLE, UNSKILLED, character_with, refusal
from tests.games.destiny.strategies import characters, hands

# The bonuses of the document's example: gun fighting 45, lockpicking 32, charisma 20, mining 15.
EXAMPLE = character_with(clubs="40.40", spades="27.28", hearts="16.86", diamonds="12.22")


@pytest.mark.parametrize("held", ["A♠ K♠ Q♠ J♠", "A♠ K♠ Q♠ J♠ 10♠ 9♠", ""])
def test_1_1_a_hand_is_five_cards(held: str) -> None:
    """Other numbers are refused."""
    refused = refusal(lambda: score(cards(held), UNSKILLED))

    assert ("hand_size", "1.1") == (refused.code, refused.paragraph)
    assert f"a hand has five cards: {len(cards(held))} were given" == refused.sentence


def test_1_1_a_hand_has_no_card_twice() -> None:
    """A deck of 52 has every card once, and no joker."""
    twice = cards("A♠ K♠ Q♠ J♠") + cards("A♠")
    joker = (*cards("A♠ K♠ Q♠ J♠"), JOKERS[0])

    assert "card_too_often" == refusal(lambda: score(twice, UNSKILLED)).code
    assert Refusal("card_too_often", "the deck has no jokers: RJ is not in it", "hand", "1.1") == refusal(
        lambda: score(joker, UNSKILLED)
    )


@pytest.mark.parametrize(
    ("held", "rank", "base"),
    [
        ("A♠ K♠ Q♠ J♠ 10♠", HandRank.ROYAL_FLUSH, 500),
        ("K♠ Q♠ J♠ 10♠ 9♠", HandRank.STRAIGHT_FLUSH, 400),
        ("7♠ 7♥ 7♣ 7♦ A♠", HandRank.FOUR_OF_A_KIND, 300 + 14),
        ("7♠ 7♥ 7♣ K♦ K♠", HandRank.FULL_HOUSE, 225),
        ("K♥ J♥ 9♥ 7♥ 4♥", HandRank.FLUSH, 175),
        ("9♣ 8♠ 7♦ 6♥ 5♣", HandRank.STRAIGHT, 150),
        ("7♠ 7♥ 7♣ 2♦ 3♠", HandRank.THREE_OF_A_KIND, 100 + 3),
        ("7♠ 7♥ 3♣ 3♦ Q♠", HandRank.TWO_PAIR, 60 + 12),
        ("K♠ K♦ A♣ 7♥ 3♠", HandRank.PAIR, 30 + 14),
        ("A♠ K♦ 7♣ 5♥ 2♠", HandRank.HIGH_CARD, 14 + 13 + 7),
    ],
)
def test_2_1_each_rank_has_its_base(held: str, rank: HandRank, base: int) -> None:
    """From 500 for a royal flush to the cards alone for a high card."""
    scored = score(cards(held), UNSKILLED)

    assert (rank, Points(base)) == (scored.rank, scored.base)


def test_1_3_the_ace_begins_a_straight_and_does_not_wrap_around() -> None:
    """A-2-3-4-5 is a straight, and of one suit a straight flush; K-A-2 is a high card."""
    low, one_suit, round_the_corner = (
        score(cards(held), UNSKILLED) for held in ("A♠ 2♥ 3♣ 4♦ 5♠", "A♠ 2♠ 3♠ 4♠ 5♠", "Q♠ K♥ A♣ 2♦ 3♠")
    )

    assert (HandRank.STRAIGHT, Points(150)) == (low.rank, low.base)
    assert (HandRank.STRAIGHT_FLUSH, Points(400)) == (one_suit.rank, one_suit.base)
    assert (HandRank.HIGH_CARD, Points(14 + 13 + 12)) == (round_the_corner.rank, round_the_corner.base)


def test_2_1_hand_scores_are_rules() -> None:
    """A pair that scores 35 adds its kicker to 35."""
    rules = Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points("35.5")})

    assert Points("49.5") == score(cards("K♠ K♦ A♣ 7♥ 3♠"), UNSKILLED, rules).base


def test_2_2_high_card_adds_its_three_highest() -> None:
    """A♠ K♦ 7♣ 5♥ 2♠ scores 14 + 13 + 7 = 34."""
    assert Points(34) == score(cards("A♠ K♦ 7♣ 5♥ 2♠"), UNSKILLED).base


def test_2_3_pair_adds_its_highest_kicker() -> None:
    """A pair of kings with an ace scores 30 + 14 = 44."""
    assert Points(44) == score(cards("K♠ K♦ A♣ 7♥ 3♠"), UNSKILLED).base


def test_2_3_the_kicker_is_not_a_matched_card() -> None:
    """A pair of aces with a king adds the king, not a third ace."""
    assert Points(43) == score(cards("A♣ A♦ K♣ Q♥ J♣"), UNSKILLED).base


@pytest.mark.parametrize("held", ["7♠ 7♥ 7♣ K♦ K♠", "K♥ J♥ 9♥ 7♥ 4♥", "A♣ 2♠ 3♦ 4♥ 5♣", "A♥ 2♥ 3♥ 4♥ 5♥"])
def test_2_4_the_other_ranks_add_nothing(held: str) -> None:
    """A full house, a flush, a straight and a straight flush have their own score only."""
    scored = score(cards(held), UNSKILLED)

    assert DEFAULT.hand_scores[scored.rank] == scored.base


def test_3_1_suit_score_counts_all_four_suits() -> None:
    """Three spades, a heart and a club: 3 × 22.5 + 15 + 28.75 = 111.25."""
    outlaw = character_with(spades="22.5", hearts="15", clubs="28.75", diamonds="10")
    scored = score(cards("A♠ K♠ Q♠ 7♣ 3♥"), outlaw)

    assert {Suit.SPADES: 3, Suit.HEARTS: 1, Suit.CLUBS: 1, Suit.DIAMONDS: 0} == scored.suit_counts
    assert Points("111.25") == scored.suit


def test_3_1_royal_flush_of_the_step_by_step_example() -> None:
    """500 + 5 × 27.28 = 636.4."""
    scored = score(cards("A♠ K♠ Q♠ J♠ 10♠"), EXAMPLE)

    assert (Points(500), Points("136.4"), Points("636.4")) == (scored.base, scored.suit, scored.total)


def test_3_1_pair_of_kings_of_the_step_by_step_example() -> None:
    """44 + (2 × 27.28 + 16.86 + 40.40 + 12.22) = 44 + 124.04 = 168.04."""
    scored = score(cards("K♠ K♦ A♣ 7♥ 3♠"), EXAMPLE)

    assert (Points(44), Points("124.04"), Points("168.04")) == (scored.base, scored.suit, scored.total)


@pytest.mark.parametrize(
    ("skills", "held", "total"),
    [
        ({"brawling": 50, "intimidation": 25}, "7♣ 7♥ A♦ K♠ 3♣", "156.57"),
        ({"charisma": 60}, "K♥ J♥ 9♥ 7♥ 4♥", "500"),
        ({"mining": 10}, "A♠ K♦ 9♣ 7♥ 2♠", "43.69"),
        ({"gun_fighting": 80}, "A♣ Q♥ 10♦ 6♠ 3♣", "220.84"),
        ({"lockpicking": 50, "stealth": 40}, "K♠ Q♠ J♠ 10♠ 9♠", "804.5"),
        ({"gun_fighting": 50}, "A♣ A♦ K♣ Q♥ J♣", "179.47"),
        ({"gun_fighting": 40}, "10♣ 10♠ 9♣ 7♥ 5♣", "145.23"),
    ],
)
def test_4_2_the_test_cases_hold_with_the_printed_table(
    skills: dict[str, int], held: str, total: str
) -> None:
    """The totals of the document, from skills by its own table."""
    assert Points(total) == score(cards(held), Character(skills=skills), TABLE).total


def test_3_2_bonuses_of_all_sources_add_up() -> None:
    """Skill, explicit bonus, charm, place and whiskey all count in their suits."""
    outlaw = Character(
        skills={"lockpicking": 50, "stealth": 40, "gun_fighting": 2},
        bonuses={Suit.SPADES: Points("0.5"), Suit.HEARTS: Points("-1.25")},
        items=("lucky_ace_charm",),
        location="frontera",
        buffs={"whiskey": 0},
    )

    assert {
        Suit.SPADES: Points("40.37") + Points("32.06") + Points("0.5") + Points(5) + Points(8),
        Suit.HEARTS: Points("-1.25") + Points(-5),
        Suit.CLUBS: Points("0.8") + Points(3) + Points(10),
        Suit.DIAMONDS: Points(0),
    } == character_bonuses(outlaw).suits


def test_3_2_skills_of_one_suit_add_up() -> None:
    """Lockpicking 50 and stealth 40 of the printed table give 80.90 in spades."""
    assert (
        Points("80.90")
        == character_bonuses(Character(skills={"lockpicking": 50, "stealth": 40}), TABLE).suits[Suit.SPADES]
    )


def test_3_3_a_suit_score_may_be_negative() -> None:
    """Five hearts at −5 cost 25, and only the total is floored."""
    scored = score(cards("K♥ J♥ 9♥ 7♥ 4♥"), character_with(hearts=-5))

    assert (Points(-25), Points(150)) == (scored.suit, scored.total)


@pytest.mark.parametrize(
    ("suit", "skills"),
    [
        (Suit.CLUBS, "gun_fighting brawling knife_fighting horse_riding"),
        (Suit.SPADES, "lockpicking pickpocketing stealth safecracking tracking"),
        (Suit.HEARTS, "charisma intimidation deception medicine spirit_walking tracking"),
        (Suit.DIAMONDS, "gunsmithing leatherworking cooking mining horse_riding"),
    ],
)
def test_3_4_each_skill_has_its_suits(suit: Suit, skills: str) -> None:
    """These skills give their full bonus to the suit, and no others do."""
    trained = {
        skill: character_bonuses(Character(skills={skill: 50})).suits[suit]
        for skill in sorted(DEFAULT.skills)
    }

    assert {skill: Points("40.37") for skill in sorted(skills.split())} == {
        skill: given for skill, given in trained.items() if given
    }


def test_3_4_there_are_eighteen_skills() -> None:
    """Sixteen of one suit, two of two."""
    assert [1] * 16 + [2] * 2 == sorted(len(suits) for suits in DEFAULT.skills.values())


def test_3_4_an_unknown_skill_is_refused_with_the_nearest() -> None:
    """The refusal lists the known skills and suggests the nearest."""
    refused = refusal(lambda: character_bonuses(Character(skills={"gunfighting": 5})))

    assert ("unknown_skill", "skills") == (refused.code, refused.where)
    assert refused.sentence.startswith("unknown skill 'gunfighting' — did you mean 'gun_fighting'? Known: ")
    assert refused.sentence.endswith(", ".join(DEFAULT.skills))


@pytest.mark.parametrize(
    ("level", "given"), [(1, "0"), (2, "0.8"), (32, "25.44"), (50, "40.37"), (100, "82.09")]
)
def test_4_1_the_formula_is_the_curve(level: int, given: str) -> None:
    """(L−1)·0.75 + (L−1)^1.1·0.05, rounded once."""
    assert Points(given) == skill_bonus(level)


def test_4_1_every_level_is_rounded_correctly() -> None:
    """Compared with 60 digits."""
    with localcontext(prec=60):
        exact = [
            Decimal(level - 1) * Decimal("0.75")
            + (Decimal(level - 1) ** Decimal("1.1") if level > 1 else 0) * Decimal("0.05")
            for level in range(1, 101)
        ]

    assert [Points(round(value, 2)) for value in exact] == [skill_bonus(level) for level in range(1, 101)]


def test_4_1_the_coefficients_are_rules() -> None:
    """49·1 + 49^0.5·2 = 63."""
    rules = Rules(curve_linear=Decimal(1), curve_exponent=Decimal("0.5"), curve_coefficient=Decimal(2))

    assert Points(63) == skill_bonus(50, rules)


def test_4_1_half_a_hundredth_is_rounded_to_even() -> None:
    """0.125 and 0.375 are rounded to 0.12 and 0.38."""
    rules = Rules(curve_linear=Decimal("0.125"), curve_coefficient=Decimal(0))

    assert [Points("0.12"), Points("0.38")] == [skill_bonus(level, rules) for level in (2, 4)]


@pytest.mark.parametrize(
    ("level", "given"),
    [
        (1, "0"),
        (2, "0.83"),
        (3, "1.66"),
        (32, "27.68"),
        (50, "45.49"),
        (55, "58.38"),
        (99, "120.43"),
        (100, "121.93"),
    ],
)
def test_4_2_the_table_is_linear_between_printed_levels(level: int, given: str) -> None:
    """Level 2 lies a quarter of the way from 0 to 3.31: 0.8275, rounded to 0.83."""
    assert Points(given) == skill_bonus(level, TABLE)


@pytest.mark.parametrize("rules", [DEFAULT, TABLE])
@pytest.mark.parametrize("level", [0, -1, 101])
def test_4_3_levels_are_1_to_100(level: int, rules: Rules) -> None:
    """Levels 0 and 101 are refused, by the curve as well."""
    for refused in (
        refusal(lambda: character_bonuses(Character(skills={"mining": level}), rules)),
        refusal(lambda: skill_bonus(level, rules)),
    ):
        assert ("level_out_of_range", "4.3") == (refused.code, refused.paragraph)
        assert "levels are whole numbers from 1 to 100; " in refused.sentence


def test_4_3_a_missing_skill_gives_nothing() -> None:
    """So does level 1."""
    assert character_bonuses(UNSKILLED) == character_bonuses(Character(skills={"mining": 1}))


def test_4_3_the_highest_level_is_a_rule() -> None:
    """With max_level 120, level 120 has its bonus by the formula."""
    assert (
        Points("98.85")
        == character_bonuses(Character(skills={"mining": 120}), Rules(max_level=120)).suits[Suit.DIAMONDS]
    )


def test_5_1_modifiers_are_named_by_their_source() -> None:
    """A charm, poison, a horseshoe's boost and the defence bonus are reported by name."""
    outlaw = Character(items=("lucky_ace_charm", "iron_horseshoe"), buffs={"poisoned": 0, "whiskey": 0})
    scored = score(cards("K♠ K♦ A♣ 7♥ 3♠"), outlaw, defense_bonus=Points(15))

    assert (
        Modifier("item lucky_ace_charm", Points(15)),
        Modifier("buff poisoned", Points(-25)),
        Modifier("territory defence", Points(15)),
        Modifier("item iron_horseshoe, pair", Points(10)),
    ) == scored.sources
    assert Points(15 - 25 + 15 + 10) == scored.modifiers


def test_5_2_lucky_ace_charm() -> None:
    """+15 on any hand, and +5 in spades."""
    scored = score(cards("A♠ K♦ 7♣ 5♥ 2♠"), Character(items=("lucky_ace_charm",)))

    assert (Points(34), Points(10), Points(15), Points(59)) == (
        scored.base, scored.suit, scored.modifiers, scored.total
    )  # fmt: skip


@pytest.mark.parametrize(
    ("held", "boost"),
    [("K♠ K♦ A♣ 7♥ 3♠", 10), ("7♠ 7♥ 3♣ 3♦ Q♠", 20), ("7♠ 7♥ 7♣ 2♦ 3♠", 0), ("A♠ K♦ 7♣ 5♥ 2♠", 0)],
)
def test_5_2_iron_horseshoe(held: str, boost: int) -> None:
    """+10 on a pair, +20 on two pair, nothing else."""
    assert Points(boost) == score(cards(held), Character(items=("iron_horseshoe",))).modifiers


@pytest.mark.parametrize(
    ("place", "given"),
    [
        ("red_gulch", {Suit.DIAMONDS: 5}),
        ("kaiowa_mesa", {Suit.HEARTS: 10}),
        ("frontera", {Suit.SPADES: 8, Suit.CLUBS: 3}),
        ("sangre_canyon", {Suit.CLUBS: 5}),
    ],
)
def test_5_3_each_place_favours_its_suits(place: str, given: dict[Suit, int]) -> None:
    """The place adds to these suits and to no other."""
    assert {suit: Points(given.get(suit, 0)) for suit in Suit} == character_bonuses(
        Character(location=place)
    ).suits


@pytest.mark.parametrize(("at", "works"), [(99, False), (100, True), (399, True), (400, False)])
def test_5_4_a_buff_works_from_its_start_to_before_its_end(at: int, works: bool) -> None:  # noqa: FBT001
    """Whiskey taken at second 100 works at 100 and 399, not at 99 and 400."""
    drunk = character_bonuses(Character(buffs={"whiskey": 100}), at=at)

    assert (Points(10), Points(-5)) == (drunk.suits[Suit.CLUBS], drunk.suits[Suit.HEARTS]) or not works
    assert works == (drunk != character_bonuses(UNSKILLED, at=at))


@pytest.mark.parametrize(("at", "cost"), [(0, -25), (599, -25), (600, 0)])
def test_5_4_poison_costs_25_for_ten_minutes(at: int, cost: int) -> None:
    """−25 on every hand for 600 s."""
    assert Points(cost) == score(cards("A♠ K♦ 7♣ 5♥ 2♠"), Character(buffs={"poisoned": 0}), at=at).modifiers


def test_5_4_different_buffs_add_up() -> None:
    """Two buffs of one suit and two flat ones are added."""
    rules = Rules(
        buffs={
            **DEFAULT.buffs,
            "coffee": Buff(duration=60, flat=Points("2.5"), suits={Suit.CLUBS: Points(-4)}),
        }
    )
    outlaw = Character(buffs={"whiskey": 0, "coffee": 0, "poisoned": 0})
    scored = score(cards("A♠ K♦ 7♣ 5♥ 2♠"), outlaw, rules)

    assert (Points(10 - 4), Points("-22.5")) == (scored.bonuses[Suit.CLUBS], scored.modifiers)


def test_5_5_the_same_item_twice_counts_once() -> None:
    """Two lucky charms are one."""
    once, twice = (Character(items=("lucky_ace_charm",) * count) for count in (1, 2))

    assert character_bonuses(once) == character_bonuses(twice)


def test_5_5_different_items_add_up() -> None:
    """Two boosts of one rank are added, and reported by their sources."""
    rules = Rules(items={**DEFAULT.items, "ring": Item(ranks={HandRank.PAIR: Points("0.5")})})
    scored = score(cards("K♠ K♦ A♣ 7♥ 3♠"), Character(items=("ring", "iron_horseshoe")), rules)

    assert (
        Modifier("item ring, pair", Points("0.5")),
        Modifier("item iron_horseshoe, pair", Points(10)),
    ) == scored.sources


def test_5_6_the_defence_bonus_of_test_case_5() -> None:
    """39 + 3 × 35.41 = 145.23, and 15 for the territory: 160.23."""
    scored = score(cards("10♣ 10♠ 9♣ 7♥ 5♣"), character_with(clubs="35.41"), defense_bonus=Points(15))

    assert (Points(39), Points("106.23"), Points(15), Points("160.23")) == (
        scored.base, scored.suit, scored.modifiers, scored.total
    )  # fmt: skip


@pytest.mark.parametrize(
    ("multiplier", "given"), [("1.5", "22.5"), ("0", "0"), ("0.333", "5"), ("0.0003", "0")]
)
def test_5_6_the_defence_bonus_is_multiplied(multiplier: str, given: str) -> None:
    """15 × 0.333 = 4.995 is rounded half-even to 5."""
    rules = Rules(territory_defense_multiplier=Decimal(multiplier))

    assert (
        Points(given)
        == score(cards("10♣ 10♠ 9♣ 7♥ 5♣"), UNSKILLED, rules, defense_bonus=Points(15)).modifiers
    )


def test_5_6_the_defence_bonus_counts_before_the_floor() -> None:
    """34 − 50 + 15 is floored to 0: the bonus is not added to a floored total."""
    assert (
        Points(0)
        == score(cards("A♠ K♦ 7♣ 5♥ 2♠"), character_with(hearts=-50), defense_bonus=Points(15)).total
    )


def test_5_6_a_defence_bonus_has_bounds() -> None:
    """Beyond ±100,000 it is refused."""
    assert (
        "out_of_bounds"
        == refusal(lambda: character_bonuses(UNSKILLED, defense_bonus=Points("100000.01"))).code
    )
    assert (
        Points(-100_000) == character_bonuses(UNSKILLED, defense_bonus=Points(-100_000)).modifiers[-1].points
    )


def test_6_1_the_total_is_not_below_0() -> None:
    """16 − 25 is 0."""
    scored = score(cards("7♠ 5♥ 4♣ 3♦ 2♥"), Character(buffs={"poisoned": 0}))

    assert (Points(16), Points(-25), Points(0)) == (scored.base, scored.modifiers, scored.total)


def test_6_1_without_bonuses_the_total_is_the_base() -> None:
    """An unskilled straight scores 150: A♠ K♠ Q♣ J♥ 10♦ has two spades, which add nothing."""
    scored = score(cards("A♠ K♠ Q♣ J♥ 10♦"), UNSKILLED)

    assert (2, Points(0), Points(150)) == (scored.suit_counts[Suit.SPADES], scored.suit, scored.total)


@pytest.mark.parametrize(
    ("held", "matched"),
    [
        ("A♠ K♠ Q♠ J♠ 10♠", "A♠ K♠ Q♠ J♠ 10♠"),
        ("K♠ Q♠ J♠ 10♠ 9♠", "K♠ Q♠ J♠ 10♠ 9♠"),
        ("7♠ 7♥ A♠ 7♣ 7♦", "7♠ 7♥ 7♣ 7♦"),
        ("7♠ 7♥ 7♣ K♦ K♠", "7♠ 7♥ 7♣ K♦ K♠"),
        ("K♥ J♥ 9♥ 7♥ 4♥", "K♥ J♥ 9♥ 7♥ 4♥"),
        ("9♣ 8♠ 7♦ 6♥ 5♣", "9♣ 8♠ 7♦ 6♥ 5♣"),
        ("7♠ 2♦ 7♥ 7♣ 3♠", "7♠ 7♥ 7♣"),
        ("7♠ 7♥ 3♣ 3♦ Q♠", "7♠ 7♥ 3♣ 3♦"),
        ("A♣ K♠ K♦ 7♥ 3♠", "K♠ K♦"),
        ("A♠ K♦ 7♣ 5♥ 2♠", ""),
    ],
)
def test_6_2_the_matched_cards_are_reported(held: str, matched: str) -> None:
    """None for a high card; all five from a straight up, except four of a kind."""
    scored = score(cards(held), UNSKILLED)

    assert (cards(held), cards(matched)) == (scored.hand, scored.matched)


def test_6_2_a_modifier_of_zero_is_not_reported() -> None:
    """A charm without a flat bonus and no defence are not listed."""
    rules = Rules(items={**DEFAULT.items, "feather": Item()})

    assert () == score(cards("A♠ K♦ 7♣ 5♥ 2♠"), Character(items=("feather",)), rules).sources


@pytest.mark.parametrize(
    ("tier", "level", "given", "printed"),
    [
        ("rookie", 10, "7.31", "7.69"),
        ("competent", 20, "15.53", "16.86"),
        ("veteran", 35, "27.92", "30.53"),
        ("elite", 50, "40.37", "45.49"),
        ("legendary", 70, "57.02", "78.43"),
    ],
)
def test_8_4_an_npc_has_its_levels_bonus_in_every_suit(
    tier: str, level: int, given: str, printed: str
) -> None:
    """The rules' curve gives the bonus; the printed ones need the printed table."""
    assert level == DEFAULT.npcs[tier]
    assert dict.fromkeys(Suit, Points(given)) == npc(tier).bonuses
    assert dict.fromkeys(Suit, Points(printed)) == npc(tier, TABLE).bonuses


def test_8_4_an_unknown_npc_is_refused_with_the_nearest() -> None:
    """The refusal lists the five tiers."""
    refused = refusal(lambda: npc("legend"))

    assert ("unknown_npc", "npc") == (refused.code, refused.where)
    assert (
        "— did you mean 'legendary'? Known: rookie, competent, veteran, elite, legendary" in refused.sentence
    )


@pytest.mark.parametrize(
    ("character", "code", "where", "nearest"),
    [
        (Character(items=("lucky_charm",)), "unknown_item", "items", "lucky_ace_charm"),
        (Character(location="fronterra"), "unknown_location", "location", "frontera"),
        (Character(buffs={"wiskey": 0}), "unknown_buff", "buffs", "whiskey"),
    ],
)
def test_5_1_unknown_names_are_refused(character: Character, code: str, where: str, nearest: str) -> None:
    """An unknown item, place or buff, with the nearest name."""
    refused = refusal(lambda: character_bonuses(character))

    assert (code, where) == (refused.code, refused.where)
    assert f"— did you mean '{nearest}'?" in refused.sentence


def test_3_2_an_explicit_bonus_has_bounds() -> None:
    """Beyond ±100,000 it is refused at its key."""
    refused = refusal(lambda: character_bonuses(character_with(hearts="-100000.01")))

    assert ("out_of_bounds", "bonuses.hearts") == (refused.code, refused.where)
    assert Points(-100_000) == character_bonuses(character_with(hearts=-100_000)).suits[Suit.HEARTS]


@given(hands(), characters(), st.integers(-100, 800), st.integers(-20_000, 20_000))
def test_6_1_total_is_the_sum_and_never_negative(
    held: tuple[Card, ...], character: Character, at: int, defense: int
) -> None:
    """Total = max(0, base + suit + modifiers), and the modifiers are the sum of their sources."""
    scored = score(held, character, at=at, defense_bonus=Points.of_hundredths(defense))

    assert max(Points(0), scored.base + scored.suit + scored.modifiers) == scored.total
    assert scored.modifiers == sum((source.points for source in scored.sources), start=Points(0))
    assert 5 == sum(scored.suit_counts.values())
    assert all(source.points for source in scored.sources)


@given(hands(), characters(), st.randoms())
def test_1_1_the_order_of_the_cards_does_not_matter(
    held: tuple[Card, ...], character: Character, random: Random
) -> None:
    shuffled = list(held)
    random.shuffle(shuffled)
    one, other = score(held, character), score(shuffled, character)

    assert (one.rank, one.base, one.suit, one.total) == (other.rank, other.base, other.suit, other.total)
    assert set(one.matched) == set(other.matched)


@given(hands(), characters(), st.permutations(list(Suit)))
def test_3_1_suits_differ_only_by_their_bonuses(
    held: tuple[Card, ...], character: Character, other_suits: list[Suit]
) -> None:
    """With suits renamed in the hand and in the bonuses, the total is the same."""
    renamed = dict(zip(Suit, other_suits, strict=True))
    by_name = {(known.rank, known.suit): known for known in STANDARD_DECK}
    bonuses = character_bonuses(character)
    given_bonuses = Character(bonuses=bonuses.suits)
    other_bonuses = Character(bonuses={renamed[suit]: given for suit, given in bonuses.suits.items()})
    other_hand = [by_name[known.rank, renamed[known.suit]] for known in held if known.suit]

    assert score(held, given_bonuses).total == score(other_hand, other_bonuses).total


@cache
def class_examples() -> dict[tuple[HandRank, Points, tuple[int, ...]], tuple[Card, ...]]:
    scores = (score(example, UNSKILLED) for example, _ in hand_classes().examples())
    return {(one.rank, one.base, tuple(one.suit_counts.values())): one.hand for one in scores}


@given(hands(), characters())
def test_12_1_a_total_depends_only_on_the_class(held: tuple[Card, ...], character: Character) -> None:
    """The hand scores as the example of its class: same rank, extra value and suit counts."""
    scored = score(held, character)
    alike = class_examples()[scored.rank, scored.base, tuple(scored.suit_counts.values())]

    assert scored.total == score(alike, character).total


def test_6_1_a_sum_of_bonuses_out_of_bounds_is_refused() -> None:
    """No total can be out of bounds."""
    stones = {f"stone_{number}": Item(flat=Points(100_000)) for number in range(11)}
    rules = Rules(items={**DEFAULT.items, **stones})

    assert "out_of_bounds" == refusal(lambda: character_bonuses(Character(items=tuple(stones)), rules)).code
