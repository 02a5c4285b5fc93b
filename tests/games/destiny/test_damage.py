"""The damage of a contest (§8.7, §8.8): the rule, and its exact distribution."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.cards import Card
from oddsmith.games.destiny import DEFAULT, Character, Damage, Degree, Rules, Side, contest, score, score_with
from oddsmith.games.destiny.damage import damage_odds
from oddsmith.games.destiny.odds import contest_odds
from oddsmith.games.destiny.questions.contests import VERSUS, ContestOddsReply
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.scoring import Bonuses, character_bonuses, damage_hundredths
from oddsmith.points import Points
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, ask, character_with, hand, refusal
from tests.games.destiny.conftest import UseDeck
from tests.games.destiny.people import PEOPLE, RICHER
from tests.games.destiny.strategies import hands

PLAIN = character_bonuses(UNSKILLED)


@pytest.mark.parametrize(
    ("margin", "damage"),
    [
        ("0", "10"), ("0.01", "10"), ("0.05", "10"), ("0.15", "10.02"), ("50", "15"), ("99.99", "20"),
        ("100", "40"), ("120", "44"), ("399.97", "99.99"), ("400", "100"), ("9000", "100"),
    ],
)  # fmt: skip
def test_8_7_damage_grows_with_the_margin(margin: str, damage: str) -> None:
    """10 and a tenth of the margin, twice from 100 on, at most 100; rounded half-even to hundredths."""
    dealt = damage_hundredths(Points(margin).hundredths, HandRank.PAIR)

    assert Points(damage) == Points.of_hundredths(dealt)


def test_8_7_every_number_is_a_rule() -> None:
    """1 and a third of 30, three times; at most 20."""
    rule = Damage(least=Points(1), per_point=Decimal("0.333"), critical_factor=Decimal(3), most=Points(20))
    rules = Rules(damage=rule, critical_margin=Points(15))

    assert [433, 1798, 2000] == [
        damage_hundredths(margin, HandRank.PAIR, rules) for margin in (1_000, 1_500, 3_000)
    ]


def test_8_7_the_same_hand_has_the_margin_of_its_suits() -> None:
    """A charm's 15 points and 5 for each spade: of the totals' lead of 25 only the suits' 10 count."""
    held = hand("A♠ K♦ 7♣ 5♥ 2♠")
    charmed = score(held, Character(items=("lucky_ace_charm",)))
    result = contest(charmed, score(held, UNSKILLED))

    assert ("same_hand", Points(10), Degree.SUCCESS) == (result.why, result.margin, result.degree)
    assert Points(11) == result.damage


def test_8_8_a_royal_flush_deals_the_most() -> None:
    """Also with a lower total: it wins with a margin below 0; without the rule it loses by 100."""
    royal = score(hand("A♠ K♠ Q♠ J♠ 10♠"), UNSKILLED)
    strong = score(hand("K♥ J♥ 9♥ 7♥ 4♥"), character_with(hearts=85))
    ruled, plain = contest(royal, strong, ROYAL), contest(royal, strong)

    assert (Side.ATTACKER, "royal_flush", Points(-100)) == (ruled.winner, ruled.why, ruled.margin)
    assert (Degree.CRITICAL_SUCCESS, Points(100)) == (ruled.degree, ruled.damage)
    assert (Side.DEFENDER, Degree.CRITICAL_SUCCESS, Points(40)) == (plain.winner, plain.degree, plain.damage)


@given(hands(), hands(), st.sampled_from([DEFAULT, ROYAL, RICHER]))
def test_8_7_damage_lies_within_its_bounds(
    held: tuple[Card, ...], other: tuple[Card, ...], rules: Rules
) -> None:
    """From the least to the most, whoever wins."""
    result = contest(score(held, UNSKILLED, rules), score(other, UNSKILLED, rules), rules)

    assert rules.damage.least <= result.damage <= rules.damage.most


def count_damage(
    sides: tuple[Bonuses, Bonuses], drawn: list[tuple[Card, ...]], rules: Rules
) -> dict[Side, Counter[Points]]:
    """Hold every contest of two hands of a deck, and count the damage of each side."""
    attacks, defenses = ([score_with(held, side, rules) for held in drawn] for side in sides)
    dealt: dict[Side, Counter[Points]] = {side: Counter() for side in Side}
    for attack, defense in product(attacks, defenses):
        result = contest(attack, defense, rules)
        dealt[result.winner][result.damage] += 1
        dealt[result.winner.other][Points(0)] += 1
    return dealt


@pytest.mark.parametrize(
    ("deck", "rules"),
    [
        ("A♠ K♠ Q♠ J♠ 10♠ A♥ K♥ 9♥", DEFAULT),
        ("A♠ K♠ Q♠ J♠ 10♠ A♥ 7♥ 2♣", RICHER),
        ("A♠ K♠ Q♠ J♠ 10♠ A♥ K♥ Q♥ J♥ 10♥", ROYAL),
    ],
    ids=["default", "ties to the attacker", "royal flushes on both sides"],
)
def test_8_7_all_pairs_of_hands_of_a_small_deck(use_deck: UseDeck, deck: str, rules: Rules) -> None:
    """Every pair is held by the rule, the same hands included."""
    drawn = use_deck(deck)
    sides = (
        character_bonuses(Character(skills={"stealth": 30}, items=("lucky_ace_charm",)), rules),
        character_bonuses(Character(skills={"medicine": 60}, items=("iron_horseshoe",)), rules),
    )
    dealt, expected = damage_odds(*sides, rules), count_damage(sides, drawn, rules)

    assert expected[Side.ATTACKER] == dict(dealt.attacker.items())
    assert expected[Side.DEFENDER] == dict(dealt.defender.items())


@pytest.mark.parametrize(
    "name", ["thief with items at home", "always at the floor", "other rules", "royal rule"]
)
def test_8_7_damage_is_dealt_in_all_won_draws(name: str) -> None:
    """All 2,598,960² pairs, as many of them with damage as the side wins."""
    person = PEOPLE[name]
    foe = character_bonuses(Character(skills={"brawling": 33}), person.rules)
    dealt, won = (
        damage_odds(person.bonuses, foe, person.rules),
        contest_odds(person.bonuses, foe, person.rules),
    )

    assert HANDS**2 == dealt.attacker.total == dealt.defender.total
    assert won.attacker == dealt.defender.weight(Points(0))
    assert won.defender == dealt.attacker.weight(Points(0))


def test_8_7_damage_that_grows_too_long_is_refused() -> None:
    """A ten-thousandth of each point reaches 99.995, which is rounded to 100, only 399,975 points ahead."""
    rules = Rules(damage=Damage(per_point=Decimal("0.0001")))
    refused = refusal(lambda: damage_odds(PLAIN, PLAIN, rules))

    assert ("damage_too_fine", "rules.damage", "8.7") == (refused.code, refused.where, refused.paragraph)
    assert "damage grows up to a lead of 399975 points, and is counted up to 2000: " in refused.sentence


def test_8_7_the_damage_of_a_contest_can_be_asked() -> None:
    """Two untrained characters: the mean, the chance of the most, and every damage; without `damage` nothing."""
    reply = ask(VERSUS, attacker="greenhorn", defender="greenhorn", damage=True)
    brief = ask(VERSUS, attacker="greenhorn", defender="greenhorn")
    assert isinstance(reply, ContestOddsReply)
    assert reply.damage is not None
    dealt = reply.damage.attacker

    assert brief.damage is None
    assert HANDS**2 == sum(count for _, count in dealt.distribution)
    assert (
        dealt.mean
        == sum((damage.fraction * count for damage, count in dealt.distribution), Fraction(0)) / HANDS**2
    )
    assert dealt.most.count == dict(dealt.distribution)[Points(100)]
