"""§8.2: hands by kind, and what the house may bring to a round."""

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


def _kind(hand: tuple[Card, ...]) -> tuple[int, ...]:
    return (*sorted(held.number for held in hand), int(len({held.suit for held in hand}) == 1))


def _options(hand: tuple[Card, ...], rules: Rules) -> Counter[tuple[int, int]]:
    sides = [split(hand, defends) for defends in SPLITS]
    return Counter(
        (attack(one, FIGHTER, rules).total, defense(other, FIGHTER, rules).total) for one, other in sides
    )


def test_8_2_all_hands_are_of_7462_kinds() -> None:
    """The kinds hold each of the 2,598,960 hands once, and as many cards of a suit as hands have."""
    kinds = hand_kinds()

    assert 7462 == len(kinds) == len({_kind(hand) for hand in kinds.hands})
    assert [comb(13, count) * comb(39, 5 - count) for count in range(6)] == kinds.ways.sum(axis=0).tolist()


def test_8_2_every_hand_splits_like_its_kind() -> None:
    """All 4,368 hands of four ranks have the splits of their kind, in as many ways as the kind says."""
    rules = Rules()
    kinds, worth = hand_kinds(), split_powers(FIGHTER, rules)
    by_kind = {_kind(hand): place for place, hand in enumerate(kinds.hands)}
    counted: Counter[tuple[tuple[int, ...], int]] = Counter()
    for hand in combinations(SMALL_DECK, 5):
        place = by_kind[_kind(hand)]
        counted[_kind(hand), sum(held.suit is Suit.CLUBS for held in hand)] += 1

        assert _options(hand, rules) == Counter(
            zip(worth.attack[place].tolist(), worth.defense[place].tolist(), strict=True)
        )
    assert dict(counted) == {
        (kind, count): int(kinds.ways[by_kind[kind], count])
        for kind in {kind for kind, _ in counted}
        for count in range(6)
        if kinds.ways[by_kind[kind], count]
    }


def test_8_2_without_gear_2659_classes_are_left() -> None:
    """Only the splits that no other split beats in both numbers matter to who wants to win."""
    worth = split_powers(Fighter(), Rules())
    classes = set()
    for attacks, defenses in zip(worth.attack.tolist(), worth.defense.tolist(), strict=True):
        stairs: list[tuple[int, int]] = []
        for option in sorted(zip(attacks, defenses, strict=True), reverse=True):
            if not stairs or option[1] > stairs[-1][1]:
                stairs.append(option)
        classes.add(tuple(stairs))

    assert 2659 == len(classes)
    assert 40687 == sum(map(len, classes))


def test_8_2_splits_stand_where_the_scoring_rule_puts_them() -> None:
    """The worth of split n of a kind is that of the nth split of its hand."""
    kinds, worth = hand_kinds(), split_powers(FIGHTER, Rules())
    place = 1234
    expected = [
        (attack(one, FIGHTER).total, defense(other, FIGHTER).total)
        for one, other in (split(kinds.hands[place], defends) for defends in SPLITS)
    ]

    assert expected == list(zip(worth.attack[place].tolist(), worth.defense[place].tolist(), strict=True))


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
def test_3_6_what_the_house_may_bring(difficulty: int, pairs: int, total: int) -> None:
    """So many different attacks and defenses, one hand in 2,598,960 at a time, for each number of cards."""
    seen = house_exchange(Rules(difficulty=difficulty))

    assert pairs == len(seen)
    assert total * 2598960 == seen.total


def test_3_6_the_house_brings_what_its_hands_come_to() -> None:
    """A hand's attack and defense occur, and counts of cards that are listed twice weigh twice."""
    once = Rules(house=House(attack_cards=((1, 4),) * 3))
    hand = cards("3♠ 10♠ 7♥ 5♣ A♦")
    one = attack([hand[place] for place in house_attack(hand, 1)], once.house_fighter, once).total
    other = defense([held for held in hand if held != hand[4]], once.house_fighter, once).total
    four, one_card = (house_exchange(Rules(house=House(attack_cards=((count,),) * 3))) for count in (4, 1))
    twice = house_exchange(Rules(house=House(attack_cards=((1, 4, 4),) * 3)))

    assert house_exchange(once).weight((one, other)) > 0
    assert {pair: one_card.weight(pair) + 2 * four.weight(pair) for pair in twice} == dict(twice.items())


def test_8_1_a_random_rival_makes_each_split_of_each_hand_alike() -> None:
    """Each hand counts once for each of its 32 splits: four royal flushes in one, all attack, make 101."""
    seen = random_exchange(Fighter(), Rules())

    assert 32 * 2598960 == seen.total
    assert 4 == seen.weight((101, 0))
    assert (101, 0) == max(seen)
