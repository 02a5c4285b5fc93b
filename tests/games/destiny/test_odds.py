"""Odds are exact counts, compared with the scoring rule for every hand (§12)."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import isqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.destiny import (
    DEFAULT,
    Bonuses,
    Character,
    Degree,
    Rules,
    Score,
    Side,
    character_bonuses,
    check,
    contest,
    npc,
    score_with,
)
from oddsmith.games.destiny import odds as destiny_odds
from oddsmith.games.destiny.classes import hand_classes
from oddsmith.games.destiny.odds import (
    contest_matrix,
    contest_odds,
    degree_odds,
    hand_odds,
    success_chance,
    totals,
)
from oddsmith.games.destiny.ranks import STANDARD_RANKS, HandRank
from oddsmith.odds.distribution import Distribution
from oddsmith.points import Points
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, character_with, refusal
from tests.games.destiny.conftest import UseDeck
from tests.games.destiny.people import PEOPLE, RICHER
from tests.games.destiny.strategies import characters, points

ATTACKER_WINS_TIES = Rules(tie_favors_defender=False)
EVERY_TIE_AND_ROYAL_RULE = [
    Rules(tie_favors_defender=defender, royal_flush_auto_win=royal)
    for defender, royal in product((True, False), repeat=2)
]


@cache
def all_scores(name: str) -> list[tuple[Score, int]]:
    """Score a hand of every class for one character, cached for several tests."""
    who = PEOPLE[name]
    bonuses = who.bonuses
    return [(score_with(hand, bonuses, who.rules), ways) for hand, ways in hand_classes().examples()]


@pytest.mark.parametrize("name", PEOPLE)
def test_12_1_totals_agree_with_every_hand(name: str) -> None:
    """Each total, with the number of hands that the scoring rule gives it."""
    who = PEOPLE[name]
    counted: Counter[Points] = Counter()
    for scored, ways in all_scores(name):
        counted[scored.total] += ways
    drawn = totals(who.bonuses, who.rules)
    mean = Fraction(sum(total.hundredths * ways for total, ways in counted.items()), 100 * HANDS)
    squares = Fraction(sum(total.hundredths**2 * ways for total, ways in counted.items()), 10_000 * HANDS)

    assert sorted(counted.items()) == list(drawn.items())
    assert (mean, squares - mean**2) == (drawn.mean, drawn.variance)
    assert isqrt(int((squares - mean**2) * 10_000)) == drawn.deviation.hundredths


@pytest.mark.sweep
@pytest.mark.parametrize("name", PEOPLE)
def test_7_2_degree_odds_agree_with_every_hand(name: str) -> None:
    """For each threshold, the number of hands of each degree, one by one."""
    who, scores = PEOPLE[name], all_scores(name)
    for threshold in map(Points, ("-60", "0", "34", "80.01", "150", "275", "512.4", "2000")):
        counted: Counter[Degree] = Counter()
        for scored, ways in scores:
            counted[check(scored, threshold, who.rules).degree] += ways
        succeeded = counted[Degree.CRITICAL_SUCCESS] + counted[Degree.SUCCESS]

        assert counted == Counter(dict(degree_odds(who.bonuses, threshold, who.rules).items()))
        assert Fraction(succeeded, HANDS) == success_chance(who.bonuses, threshold, who.rules)


def test_7_2_degree_odds_without_margins() -> None:
    """Only critical successes and critical failures are left."""
    rules = Rules(critical_margin=Points(0), failure_margin=Points(0))
    met = degree_odds(character_bonuses(UNSKILLED), Points(150), rules)

    assert Distribution({Degree.CRITICAL_SUCCESS: 19_716, Degree.CRITICAL_FAILURE: HANDS - 19_716}) == met
    assert 4 + 36 + 624 + 3_744 + 5_108 + 10_200 == met.weight(Degree.CRITICAL_SUCCESS)


def test_12_1_quantiles_and_reaching_a_threshold() -> None:
    """An unskilled total is at least 150 in 19,716 of 2,598,960 hands; the highest is 500."""
    drawn = totals(character_bonuses(UNSKILLED))

    assert Fraction(19_716, HANDS) == drawn.at_least(Points(150))
    assert (Points(16), Points(500)) == (drawn.quantile(Fraction(0)), drawn.quantile(Fraction(1)))
    assert drawn.at_least(drawn.quantile(Fraction(1, 2))) >= Fraction(1, 2)


def test_12_2_frequencies_of_the_ten_ranks() -> None:
    """4, 36, 624, 3,744, 5,108, 10,200, 54,912, 123,552, 1,098,240 and 1,302,540 of 2,598,960."""
    frequencies = [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540]

    assert dict(zip(STANDARD_RANKS, frequencies, strict=True)) == dict(hand_odds().items())
    assert 2_598_960 == hand_odds().total == HANDS


# Two royal flushes, straight flushes, pairs; and four of a kind, full houses.
SHORT_DECKS = {"two royals": "A♠ K♠ Q♠ J♠ 10♠ A♥ K♥ Q♥ J♥ 10♥", "kinds": "A♠ K♠ Q♠ J♠ 10♠ A♥ A♣ A♦ K♥"}

CONTENDERS = {
    "alike": (UNSKILLED, UNSKILLED, "0"),
    "skill against charm": (character_with(spades=6), Character(items=("lucky_ace_charm",)), "0"),
    "suits say one thing, the defence another": (
        character_with(spades=1, hearts=1),
        character_with(spades="0.5"),
        "90",
    ),
    "both at the floor": (
        character_with(spades=-300, hearts=-300),
        character_with(spades=-400, hearts=-200),
        "0",
    ),
    "boosted pairs": (Character(items=("iron_horseshoe",)), character_with(hearts="2.5"), "-10"),
    "a high wall": (UNSKILLED, UNSKILLED, "700"),
}


def count_wins(attack: list[Score], defense: list[Score], rules: Rules) -> int:
    """Count the pairs that the attacker wins; pairs that are equal under §8 are judged once."""
    judged: dict[tuple[object, object, bool], bool] = {}
    won = 0
    for (mine, a), (theirs, d) in product(_contest_keys(attack), _contest_keys(defense)):
        pair = mine, theirs, a.hand == d.hand
        if pair not in judged:
            judged[pair] = contest(a, d, rules).winner is Side.ATTACKER
        won += judged[pair]
    return won


def _contest_keys(scores: list[Score]) -> list[tuple[tuple[HandRank, int, int], Score]]:
    return [((one.rank, one.total.hundredths, one.suit.hundredths), one) for one in scores]


@pytest.mark.sweep
@pytest.mark.parametrize("deck", SHORT_DECKS.values(), ids=SHORT_DECKS)
@pytest.mark.parametrize(("attacker", "defender", "defense"), CONTENDERS.values(), ids=CONTENDERS)
def test_8_contest_odds_agree_with_every_pair_of_hands(
    use_deck: UseDeck, deck: str, attacker: Character, defender: Character, defense: str
) -> None:
    """Every pair of hands of a short deck, one by one, under each tie and royal rule."""
    hands = use_deck(deck)
    several_royals = deck == SHORT_DECKS["two royals"]
    for rules in EVERY_TIE_AND_ROYAL_RULE[several_royals :: 1 + several_royals]:
        bonuses = (
            character_bonuses(attacker, rules),
            character_bonuses(defender, rules, defense_bonus=Points(defense)),
        )
        attack, defence = ([score_with(hand, side, rules) for hand in hands] for side in bonuses)
        won = count_wins(attack, defence, rules)
        counted = contest_odds(*bonuses, rules)

        assert (won, len(hands) ** 2 - won) == (counted.attacker, counted.defender)
        assert Fraction(won, len(hands) ** 2) == counted.chance(Side.ATTACKER)
        assert 1 == counted.chance(Side.ATTACKER) + counted.chance(Side.DEFENDER)


@pytest.mark.parametrize(
    "rank", [HandRank.ROYAL_FLUSH, HandRank.FOUR_OF_A_KIND, HandRank.FULL_HOUSE, HandRank.PAIR]
)
def test_8_contest_odds_of_a_rank_agree_with_every_pair_with_it(use_deck: UseDeck, rank: HandRank) -> None:
    """Every pair of hands in which the attacker has the rank, one by one."""
    hands = use_deck(SHORT_DECKS["kinds"])
    for rules in EVERY_TIE_AND_ROYAL_RULE:
        bonuses = (
            character_bonuses(character_with(spades=6), rules),
            character_bonuses(character_with(hearts=7, clubs="2.5"), rules),
        )
        attack, defense = ([score_with(hand, side, rules) for hand in hands] for side in bonuses)
        held = [scored for scored in attack if scored.rank is rank]
        counted = contest_odds(*bonuses, rules, having=rank)

        assert (count_wins(held, defense, rules), len(held) * len(hands)) == (counted.attacker, counted.total)


def test_8_3_the_same_hand_rule_changes_the_count(use_deck: UseDeck) -> None:
    """With a defence of 700 the attacker wins exactly the pairs of equal hands, for each suit it is better in."""
    hands = use_deck(SHORT_DECKS["two royals"])
    wall = character_bonuses(UNSKILLED, defense_bonus=Points(700))

    assert len(hands) == contest_odds(character_bonuses(character_with(spades=1, hearts=1)), wall).attacker
    assert 0 == contest_odds(character_bonuses(UNSKILLED), wall).attacker
    assert len(hands) == contest_odds(character_bonuses(UNSKILLED), wall, ATTACKER_WINS_TIES).attacker


def test_8_5_the_royal_rule_changes_the_count(use_deck: UseDeck) -> None:
    """Against a defence of 700, two royal flushes beat every other hand."""
    hands = use_deck(SHORT_DECKS["two royals"])

    assert (
        2 * (len(hands) - 2)
        == contest_odds(
            character_bonuses(UNSKILLED), character_bonuses(UNSKILLED, defense_bonus=Points(700)), ROYAL
        ).attacker
    )


@pytest.mark.parametrize("rules", EVERY_TIE_AND_ROYAL_RULE)
def test_8_contest_matrix_agrees_with_every_pair_of_hands(
    use_deck: UseDeck, monkeypatch: pytest.MonkeyPatch, rules: Rules
) -> None:
    """By a lookup of every hundredth and, where totals are far apart, by a search."""
    hands = use_deck(SHORT_DECKS["kinds"])
    contenders = [*CONTENDERS.values()][1:4]
    attackers = [character_bonuses(attacker, rules) for attacker, _, _ in contenders]
    defenders = [character_bonuses(who, rules, defense_bonus=Points(wall)) for _, who, wall in contenders[:2]]
    attack, defense = (
        [[score_with(hand, side, rules) for hand in hands] for side in sides]
        for sides in (attackers, defenders)
    )
    expected = [[count_wins(mine, theirs, rules) for theirs in defense] for mine in attack]
    by_table = contest_matrix(attackers, defenders, rules).tolist()
    monkeypatch.setattr(destiny_odds, "DENSE_LIMIT", 0)
    by_search = contest_matrix(attackers, defenders, rules).tolist()

    assert (expected, expected) == (by_table, by_search)


@pytest.mark.parametrize("rules", [DEFAULT, RICHER, *EVERY_TIE_AND_ROYAL_RULE[1:]])
def test_8_contest_matrix_agrees_with_contest_odds(rules: Rules) -> None:
    """On the whole deck, each entry is the count of its contest."""
    bonuses = [who.bonuses for who in PEOPLE.values()]
    expected = [[contest_odds(mine, theirs, rules).attacker for theirs in bonuses] for mine in bonuses]
    matrix = contest_matrix(bonuses, bonuses, rules)

    assert expected == matrix.tolist()
    assert np.int64 == matrix.dtype


def test_8_contest_matrix_needs_both_sides() -> None:
    """A matrix without attackers or defenders is refused."""
    one = [character_bonuses(UNSKILLED)]

    assert "empty_side" == refusal(lambda: contest_matrix([], one)).code
    assert "empty_side" == refusal(lambda: contest_matrix(one, [])).code


def test_8_equal_contenders_differ_only_by_ties() -> None:
    """Of two unskilled ones the attacker wins as often as it loses, except for the ties."""
    one = character_bonuses(UNSKILLED)
    lost, won = contest_odds(one, one).attacker, contest_odds(one, one, ATTACKER_WINS_TIES).attacker
    ties = sum(ways**2 for _, ways in totals(one).items())

    assert HANDS**2 == lost + won
    assert ties == won - lost


def test_8_4_an_elite_beats_a_rookie() -> None:
    """By exact count, the stronger attacker wins more often than the weaker one against the same veteran."""
    veteran = character_bonuses(npc("veteran"))
    chances = [
        contest_odds(character_bonuses(npc(tier)), veteran).chance(Side.ATTACKER) for tier in DEFAULT.npcs
    ]

    assert sorted(chances) == chances
    assert len(set(chances)) == len(chances)


@settings(max_examples=30)
@given(characters(), characters(), points(), st.booleans())
def test_8_1_contest_counts_are_consistent(
    one: Character,
    two: Character,
    defense: Points,
    royal: bool,  # noqa: FBT001
) -> None:
    """Both counts add up to all pairs; with sides exchanged and the tie rule reversed, they are exchanged."""
    mine, theirs = character_bonuses(one), character_bonuses(two, defense_bonus=defense)
    here = contest_odds(mine, theirs, Rules(royal_flush_auto_win=royal))
    there = contest_odds(theirs, mine, Rules(royal_flush_auto_win=royal, tie_favors_defender=False))

    assert HANDS**2 == here.total
    assert (here.attacker, here.defender) == (there.defender, there.attacker)


@settings(max_examples=30)
@given(
    characters(),
    points(0, 5_000),
    st.sampled_from(["spades", "hearts", "clubs", "diamonds"]),
    points(0, 60_000),
)
def test_7_1_more_bonus_never_lowers_the_chance(
    character: Character, more: Points, suit: str, threshold: Points
) -> None:
    """A character with more in a suit meets a threshold at least as often."""
    bonuses = character_bonuses(character)
    better = Bonuses(
        suits={known: given + more if known == suit else given for known, given in bonuses.suits.items()},
        modifiers=bonuses.modifiers,
        boosts=bonuses.boosts,
    )

    assert success_chance(bonuses, threshold) <= success_chance(better, threshold)


@settings(max_examples=20)
@given(characters(), points(-10_000, 60_000), st.booleans())
def test_7_1_success_is_reaching_the_threshold(character: Character, threshold: Points, royal: bool) -> None:  # noqa: FBT001
    """Without the royal rule the chance is that of reaching it; with the rule, up to four hands more."""
    bonuses = character_bonuses(character)
    chance = success_chance(bonuses, threshold, Rules(royal_flush_auto_win=royal))
    reached = totals(bonuses).at_least(threshold)

    assert 0 <= chance - reached <= (Fraction(4, HANDS) if royal else 0)


def test_12_1_every_class_has_an_example() -> None:
    """2,808 classes have all 2,598,960 hands, and every example is a hand."""
    examples = list(hand_classes().examples())

    assert 2_808 == len(hand_classes()) == len(examples)
    assert HANDS == sum(ways for _, ways in examples)
    assert {5} == {len(set(hand)) for hand, _ in examples}
