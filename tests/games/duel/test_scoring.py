"""Values of cards in attack and defense (§1, §2)."""

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from oddsmith.cards import STANDARD_DECK, Card, Rank, Suit, card, cards
from oddsmith.errors import InputError
from oddsmith.games.duel import (
    DEFAULT,
    SPLITS,
    Fighter,
    Rules,
    attack,
    damage,
    defense,
    skill_modifier,
    split,
)
from oddsmith.games.duel.rules import EmptySide
from oddsmith.poker import HandRank
from tests.games.duel.builders import BARE, EXAMPLE_HAND, FIGHTER, ROYAL, refusal
from tests.games.duel.strategies import fighters, hands, splits

MADE = [
    ("10♠ J♠ Q♠ K♠ A♠", HandRank.ROYAL_FLUSH, 50, 25),
    ("5♥ 6♥ 7♥ 8♥ 9♥", HandRank.STRAIGHT_FLUSH, 40, 20),
    ("8♠ 8♥ 8♣ 8♦ 3♠", HandRank.FOUR_OF_A_KIND, 35, 17),
    ("K♠ K♥ K♣ 7♦ 7♠", HandRank.FULL_HOUSE, 30, 15),
    ("A♦ J♦ 9♦ 6♦ 3♦", HandRank.FLUSH, 25, 12),
    ("A♠ 2♥ 3♣ 4♦ 5♠", HandRank.STRAIGHT, 20, 10),
    ("Q♠ Q♥ Q♣ 7♦ 2♠", HandRank.THREE_OF_A_KIND, 15, 7),
    ("9♠ 9♥ 4♣ 4♦ A♠", HandRank.TWO_PAIR, 10, 5),
    ("J♠ J♥ 8♣ 5♦ 2♠", HandRank.PAIR, 5, 2),
    ("A♠ Q♥ 8♣ 5♦ 2♠", HandRank.HIGH_CARD, 0, 0),
]


@pytest.mark.parametrize(
    ("text", "value"),
    [*((str(pips), pips) for pips in range(2, 11)), ("J", 10), ("Q", 10), ("K", 10), ("A", 11)],
)
def test_1_2_values_of_cards(text: str, value: int) -> None:
    """2 to 10, J, Q and K 10, A 11, in any suit and on either side."""
    for suit in Suit:
        held = (card(text + suit.symbol),)

        assert (value, value) == (attack(held, BARE).total, defense(held, BARE).total)
        assert (value, 0) == (attack(held, BARE).values, attack(held, BARE).bonus)


def test_1_2_the_whole_deck_has_the_value_380() -> None:
    """Four times 2 + … + 10, three tens and an eleven."""
    assert 380 == sum(DEFAULT.values[known.number] for known in STANDARD_DECK)
    assert Rank.JOKER not in DEFAULT.values


@pytest.mark.parametrize(("text", "rank", "whole", "half"), MADE)
def test_1_3_a_hand_adds_its_bonus(text: str, rank: HandRank, whole: int, half: int) -> None:
    """50, 40, 35, 30, 25, 20, 15, 10, 5 and 0 to attack."""
    made = attack(cards(text), BARE)

    assert (rank, whole) == (made.rank, made.bonus)
    assert made.values + whole == made.total
    assert whole // 2 == half


@pytest.mark.parametrize(("text", "rank", "whole", "half"), MADE)
def test_1_5_defense_gets_half_rounded_down(text: str, rank: HandRank, whole: int, half: int) -> None:
    """25, 20, 17, 15, 12, 10, 7, 5, 2 and 0 to defence."""
    made = defense(cards(text), BARE)

    assert (rank, half) == (made.rank, made.bonus)
    assert made.values + half == made.total
    assert whole >= 2 * half


@pytest.mark.parametrize(
    ("text", "rank", "whole"),
    [
        ("", HandRank.HIGH_CARD, 0),
        ("A♠", HandRank.HIGH_CARD, 0),
        ("7♠ 7♥", HandRank.PAIR, 5),
        ("7♠ 7♥ K♣", HandRank.PAIR, 5),
        ("7♠ 7♥ 7♣", HandRank.THREE_OF_A_KIND, 15),
        ("7♠ 7♥ K♣ K♦", HandRank.TWO_PAIR, 10),
        ("7♠ 7♥ 7♣ K♦", HandRank.THREE_OF_A_KIND, 15),
        ("7♠ 7♥ 7♣ 7♦", HandRank.FOUR_OF_A_KIND, 35),
        ("2♠ 5♠ 9♠ K♠", HandRank.HIGH_CARD, 0),
        ("5♠ 6♥ 7♣ 8♦", HandRank.HIGH_CARD, 0),
        ("J♠ Q♠ K♠ A♠", HandRank.HIGH_CARD, 0),
        ("Q♠ K♥ A♣ 2♦ 3♠", HandRank.HIGH_CARD, 0),
    ],
)
def test_1_4_fewer_than_five_cards(text: str, rank: HandRank, whole: int) -> None:
    """Matched ranks count with any number of cards, straights and flushes with five only; K-A-2 is no straight."""
    made = attack(cards(text), BARE)

    assert (rank, whole) == (made.rank, made.bonus)


def test_1_4_more_than_five_cards_are_refused() -> None:
    assert "too_many_cards" == refusal(lambda: attack(STANDARD_DECK[:6], BARE)).code


def bonus_by_counting(held: Sequence[Card]) -> int:
    """Return the bonus of some cards, looked up by how often ranks occur."""
    ranks = sorted(known.number for known in held)
    counts = sorted(Counter(ranks).values(), reverse=True)
    straight = len(set(ranks)) == 5 and (ranks[4] - ranks[0] == 4 or ranks == [2, 3, 4, 5, 14])
    flush = len(held) == 5 and len({known.suit for known in held}) == 1
    if straight and flush:
        return 50 if ranks[0] == 10 else 40
    if flush or straight:
        return 25 if flush else 20
    by_counts = {(4,): 35, (3, 2): 30, (3,): 15, (2, 2): 10, (2,): 5, (): 0}
    return by_counts[tuple(count for count in counts if count > 1)]


@given(hands(), splits(), fighters())
def test_2_2_every_side_is_the_sum_of_its_parts(
    held: tuple[Card, ...], defends: tuple[bool, ...], fighter: Fighter
) -> None:
    """Compared with bonuses that are looked up by the counts of ranks."""
    attacking, defending = split(held, defends)
    skill = fighter.skill * 3 // 10
    attacked = sum(DEFAULT.values[known.number] for known in attacking) + fighter.weapon + skill
    defended = sum(DEFAULT.values[known.number] for known in defending) + fighter.armor + skill

    assert sorted(held) == sorted(attacking + defending)
    assert max(1, attacked + bonus_by_counting(attacking)) == attack(attacking, fighter).total
    assert max(0, defended + bonus_by_counting(defending) // 2) == defense(defending, fighter).total


@given(hands(), st.data())
def test_1_3_suits_matter_only_for_a_flush(held: tuple[Card, ...], data: st.DataObject) -> None:
    """The same ranks in other suits have the same numbers in every split, unless one is a flush."""
    suits = {known.number: data.draw(st.permutations(list(Suit))) for known in held}
    resuited = tuple(card(f"{known.rank.text}{suits[known.number].pop().symbol}") for known in held)
    assume(all(len({known.suit for known in hand}) > 1 for hand in (held, resuited)))
    for defends in SPLITS:
        (first, second), (third, fourth) = split(held, defends), split(resuited, defends)

        assert attack(first, BARE).total == attack(third, BARE).total
        assert defense(second, BARE).total == defense(fourth, BARE).total


@pytest.mark.parametrize(
    ("skill", "modifier"), [(0, 0), (3, 0), (4, 1), (10, 3), (30, 9), (50, 15), (70, 21), (99, 29), (100, 30)]
)
def test_2_1_skill_gives_three_tenths_rounded_down(skill: int, modifier: int) -> None:
    """0, 3, 9, 15, 21 and 30 for 0, 10, 30, 50, 70 and 100, on both sides alike."""
    fighter = Fighter(skill=skill)

    assert modifier == skill_modifier(skill)
    assert modifier == attack(cards("A♠"), fighter).skill == defense(cards("A♠"), fighter).skill
    assert 11 + modifier == attack(cards("A♠"), fighter).total


def test_2_1_a_share_with_many_digits_is_exact() -> None:
    """Slightly less than a third of 3 rounds down to 0; slightly less than half of 50 to 24."""
    rules = Rules(skill_share=Decimal("0." + "3" * 39), defense_share=Decimal("0.4" + "9" * 38))

    assert 0 == skill_modifier(3, rules)
    assert 24 == defense(cards(ROYAL), BARE, rules).bonus


def test_2_2_the_worked_attack_is_42() -> None:
    """10♠ A♦ 7♥: 28, weapon 5, skill 9, no bonus."""
    made = attack(cards("10♠ A♦ 7♥"), FIGHTER)

    assert (28, 5, 9, 0, 42) == (made.values, made.gear, made.skill, made.bonus, made.total)
    assert cards("10♠ A♦ 7♥") == made.cards


def test_2_3_the_worked_defense_is_20() -> None:
    """5♣ 3♠: 8, armour 3, skill 9, no bonus."""
    made = defense(cards("5♣ 3♠"), FIGHTER)

    assert (8, 3, 9, 0, 20) == (made.values, made.gear, made.skill, made.bonus, made.total)


@pytest.mark.parametrize(("weapon", "total"), [(-4, 3), (-6, 1), (-7, 1), (-1000, 1)])
def test_2_2_attack_is_at_least_1(weapon: int, total: int) -> None:
    """A seven with a bad weapon."""
    assert total == attack(cards("7♠"), Fighter(weapon=weapon)).total


@pytest.mark.parametrize(("armor", "total"), [(-4, 3), (-7, 0), (-8, 0), (-1000, 0)])
def test_2_3_defense_is_at_least_0(armor: int, total: int) -> None:
    """A seven with bad armour."""
    assert total == defense(cards("7♠"), Fighter(armor=armor)).total


def test_2_2_the_least_attack_and_defense_are_rules() -> None:
    rules = Rules(least_attack=12, least_defense=8)

    assert (12, 8) == (attack(cards("7♠"), BARE, rules).total, defense(cards("7♠"), BARE, rules).total)
    assert 13 == attack(cards("7♠ 6♥"), BARE, rules).total


def test_2_4_a_side_without_cards_has_gear_and_skill() -> None:
    """Weapon 5 or armour 3, and skill 9; without gear an attack of 1 and a defence of 0."""
    assert (14, 12) == (attack((), FIGHTER).total, defense((), FIGHTER).total)
    assert (1, 0) == (attack((), BARE).total, defense((), BARE).total)


def test_2_4_a_side_without_cards_may_have_nothing() -> None:
    """With `empty_side = "nothing"` it has 0, below the least; a side with a card is as before."""
    rules = Rules(empty_side=EmptySide.NOTHING, least_attack=5, least_defense=5)

    assert (0, 0) == (attack((), FIGHTER, rules).total, defense((), FIGHTER, rules).total)
    assert 16 == attack(cards("2♠"), FIGHTER, rules).total


@pytest.mark.parametrize("gear", [2.5, 2.0, "5", True, None, 1001, -1001])
@pytest.mark.parametrize("key", ["weapon", "armor", "skill"])
def test_2_5_gear_is_a_whole_number(key: str, gear: object) -> None:
    """From −1000 to 1000; other values are refused."""
    refused = refusal(lambda: Fighter(**{key: gear}), InputError)  # type: ignore[arg-type]  # a wrong type is refused

    assert ("bad_value", key) == (refused.code, refused.where)
    assert refused.sentence.startswith(f"{key}: expected a whole number")


def test_2_5_gear_may_be_negative() -> None:
    """A weapon of −1000 and an armour of 1000 are valid; a negative skill is not."""
    fighter = Fighter(weapon=-1000, armor=1000)

    assert (1, 1007) == (attack(cards("7♠"), fighter).total, defense(cards("7♠"), fighter).total)
    assert (-1000, 1000) == (attack((), fighter).gear, defense((), fighter).gear)
    assert "skill" == refusal(lambda: Fighter(skill=-1)).where


@pytest.mark.parametrize(
    ("attacking", "defending", "least", "done"),
    [(42, 10, 1, 32), (25, 20, 0, 5), (20, 20, 0, 0), (20, 20, 1, 1), (10, 30, 0, 0), (10, 30, 1, 1)],
)
def test_2_6_damage_is_attack_less_defense_at_least_the_minimum(
    attacking: int, defending: int, least: int, done: int
) -> None:
    assert done == damage(attacking, defending, least)


def test_4_4_there_are_32_splits() -> None:
    """Each card attacks or defends; the first split is all attack, the last all defence."""
    held = cards(EXAMPLE_HAND)
    made = [split(held, defends) for defends in SPLITS]

    assert 32 == len(set(made)) == len(made)
    assert ((held, ()), ((), held)) == (made[0], made[-1])
