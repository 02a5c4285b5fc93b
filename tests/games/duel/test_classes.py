"""§8.2: hands by kind, and the distribution of the house's attack and defense."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest

from oddsmith.cards import STANDARD_DECK, Card, Suit, cards
from oddsmith.games.duel.classes import hand_kinds, house_exchange, random_exchange, split_powers
from oddsmith.games.duel.rules import Fighter, House, Rules
from oddsmith.games.duel.scoring import SPLITS, attack, defense, split
from oddsmith.games.duel.views import house_attack

SMALL_DECK = tuple(known for known in STANDARD_DECK if known.number in (2, 11, 12, 14))
FIGHTER = Fighter(weapon=5, armor=3, skill=30)
FREQUENCIES = (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540)


def _hand_kind(hand: tuple[Card, ...]) -> tuple[int, ...]:
    return (*sorted(held.number for held in hand), int(len({held.suit for held in hand}) == 1))


def _split_powers(hand: tuple[Card, ...], rules: Rules) -> Counter[tuple[int, int]]:
    sides = [split(hand, defends) for defends in SPLITS]
    return Counter(
        (attack(one, FIGHTER, rules).total, defense(other, FIGHTER, rules).total) for one, other in sides
    )


def test_8_2_all_hands_are_of_7462_kinds() -> None:
    """The kinds cover each of the 2,598,960 hands once, with their cards of a suit."""
    kinds = hand_kinds()

    assert 7462 == len(kinds) == len({_hand_kind(hand) for hand in kinds.hands})
    assert [comb(13, count) * comb(39, 5 - count) for count in range(6)] == kinds.ways.sum(axis=0).tolist()


@pytest.mark.sweep
def test_8_2_every_hand_splits_like_its_kind() -> None:
    """All 4,368 hands of four ranks have the splits of their kind, as often as the kind says."""
    rules = Rules()
    kinds, powers = hand_kinds(), split_powers(FIGHTER, rules)
    by_kind = {_hand_kind(hand): place for place, hand in enumerate(kinds.hands)}
    counted: Counter[tuple[tuple[int, ...], int]] = Counter()
    for hand in combinations(SMALL_DECK, 5):
        place = by_kind[_hand_kind(hand)]
        counted[_hand_kind(hand), sum(held.suit is Suit.CLUBS for held in hand)] += 1

        assert _split_powers(hand, rules) == Counter(
            zip(powers.attack[place].tolist(), powers.defense[place].tolist(), strict=True)
        )
    assert dict(counted) == {
        (kind, count): int(kinds.ways[by_kind[kind], count])
        for kind in {kind for kind, _ in counted}
        for count in range(6)
        if kinds.ways[by_kind[kind], count]
    }


def test_8_2_without_gear_2659_classes_are_left() -> None:
    """Only the splits that no other split beats in both numbers matter for winning."""
    powers = split_powers(Fighter(), Rules())
    classes = set()
    for attacks, defenses in zip(powers.attack.tolist(), powers.defense.tolist(), strict=True):
        stairs: list[tuple[int, int]] = []
        for option in sorted(zip(attacks, defenses, strict=True), reverse=True):
            if not stairs or option[1] > stairs[-1][1]:
                stairs.append(option)
        classes.add(tuple(stairs))

    assert 2659 == len(classes)
    assert 40687 == sum(map(len, classes))


def test_8_2_splits_have_the_order_of_the_scoring_rule() -> None:
    """Split n of a kind has the attack and defense of the nth split of its hand."""
    kinds, powers = hand_kinds(), split_powers(FIGHTER, Rules())
    place = 1234
    expected = [
        (attack(one, FIGHTER).total, defense(other, FIGHTER).total)
        for one, other in (split(kinds.hands[place], defends) for defends in SPLITS)
    ]

    assert expected == list(zip(powers.attack[place].tolist(), powers.defense[place].tolist(), strict=True))


def test_3_6_five_attacking_cards_have_the_mean_of_five_cards_and_their_bonuses() -> None:
    """At difficulty 10 the mean attack is 5 × 95/13 + 10 + the bonuses by the frequencies of poker hands."""
    bonuses = (50, 40, 35, 30, 25, 20, 15, 10, 5, 0)
    bonus = Fraction(sum(one * count for one, count in zip(bonuses, FREQUENCIES, strict=True)), 2598960)
    seen = house_exchange(Rules(difficulty=10))

    assert Fraction(5 * 95, 13) + 10 + bonus == seen.map(lambda pair: pair[0]).mean
    assert {0} == {defense for _, defense in seen}


@pytest.mark.parametrize(
    ("difficulty", "pairs", "total"), [(3, 1034, 4), (6, 338, 1), (9, 297, 1), (10, 70, 1)]
)
def test_3_6_distribution_of_the_houses_attack_and_defense(difficulty: int, pairs: int, total: int) -> None:
    """Numbers of different pairs for each count of attack cards; each hand has weight 1 of 2,598,960."""
    seen = house_exchange(Rules(difficulty=difficulty))

    assert pairs == len(seen)
    assert total * 2598960 == seen.total


def test_3_6_the_distribution_agrees_with_single_hands() -> None:
    """A hand's attack and defense occur; a count that is listed twice has twice the weight."""
    once = Rules(house=House(attack_cards=((1, 4),) * 3))
    hand = cards("3♠ 10♠ 7♥ 5♣ A♦")
    one = attack([hand[place] for place in house_attack(hand, 1)], once.house_fighter, once).total
    other = defense([held for held in hand if held != hand[4]], once.house_fighter, once).total
    four, one_card = (house_exchange(Rules(house=House(attack_cards=((count,),) * 3))) for count in (4, 1))
    twice = house_exchange(Rules(house=House(attack_cards=((1, 4, 4),) * 3)))

    assert house_exchange(once).weight((one, other)) > 0
    assert {pair: one_card.weight(pair) + 2 * four.weight(pair) for pair in twice} == dict(twice.items())


def test_8_1_a_random_rival_chooses_each_split_equally() -> None:
    """Each hand has its 32 splits: four royal flushes in one split, all attack, make 101."""
    seen = random_exchange(Fighter(), Rules())

    assert 32 * 2598960 == seen.total
    assert 4 == seen.weight((101, 0))
    assert (101, 0) == max(seen)
