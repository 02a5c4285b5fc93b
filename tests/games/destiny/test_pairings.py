"""Bulk counts of contests and checks agree with single ones (§7, §8)."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.destiny import DEFAULT, Bonuses, Character, Degree, Rules, character_bonuses, pairings
from oddsmith.games.destiny.odds import contest_odds, degree_odds
from oddsmith.games.destiny.pairings import many_checks, many_contests
from oddsmith.games.destiny.ranks import STANDARD_RANKS, HandRank
from oddsmith.points import Points
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, character_with
from tests.games.destiny.people import PEOPLE, RICHER, Contender
from tests.games.destiny.strategies import characters, points

CENTS = Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points("30.37")})
RULES = {
    "default": DEFAULT,
    "attacker wins ties": Rules(tie_favors_defender=False),
    "royal": ROYAL,
    "scores of a tenth": Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points("30.5")}),
    "scores of a cent": CENTS,
    "all hands alike": Rules(hand_scores=dict.fromkeys(STANDARD_RANKS, Points(0))),
    "no margins": Rules(critical_margin=Points(0), failure_margin=Points(0)),
    "richer": RICHER,
}
THRESHOLDS = [Points(number) for number in ("-60", "0", "34", "80.01", "150", "275", "512.4", "2000")]


def known_bonuses(rules: Rules) -> list[Bonuses]:
    """Return the bonuses of the characters whose items and buffs the rules know."""
    known = [who for who in PEOPLE.values() if set(who.character.items) <= set(rules.items)]
    return [
        Contender(who.character, rules, who.at, who.defense).bonuses for who in known if _fits(who, rules)
    ]


def _fits(who: Contender, rules: Rules) -> bool:
    return set(who.character.buffs) <= set(rules.buffs)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_8_many_contests_are_those_of_one_by_one(rules: Rules) -> None:
    """All against all: floors, boosts, high defences, ties and the same five cards included."""
    pairs = [*product(known_bonuses(rules)[:9], known_bonuses(rules)[5:])]
    expected = [contest_odds(attacker, defender, rules) for attacker, defender in pairs]

    assert expected == many_contests(pairs, rules)


def test_8_3_the_same_hand_is_decided_by_suits_in_bulk() -> None:
    """With a defence of 700 the attacker wins exactly the pairs of equal hands, once in 2,598,960²."""
    wall = character_bonuses(UNSKILLED, defense_bonus=Points(700))
    (odds,) = many_contests(
        [(character_bonuses(character_with(spades=1, hearts=1, clubs=1, diamonds=1)), wall)]
    )

    assert HANDS == odds.attacker
    assert HANDS**2 == odds.total


@settings(max_examples=20)
@given(st.lists(st.tuples(characters(), characters(), points()), min_size=1, max_size=4))
def test_8_any_contests_are_those_of_one_by_one(contests: list[tuple[Character, Character, Points]]) -> None:
    pairs = [
        (character_bonuses(attacker), character_bonuses(defender, defense_bonus=defense))
        for attacker, defender, defense in contests
    ]
    expected = [contest_odds(*pair) for pair in pairs]

    assert expected == many_contests(pairs)


def test_8_scores_too_far_apart_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """There a lookup would be too long; the result is the same."""
    monkeypatch.setattr(pairings, "MOST_STEPS", 10)
    pairings._lead_counts.cache_clear()
    pair = character_bonuses(character_with(spades=20)), character_bonuses(character_with(hearts="12.5"))
    answers = many_contests([pair])
    pairings._lead_counts.cache_clear()

    assert [contest_odds(*pair)] == answers


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_7_2_many_checks_are_those_of_one_by_one(rules: Rules) -> None:
    """All characters against every threshold, degree by degree."""
    checks = [*product(known_bonuses(rules), THRESHOLDS)]
    expected = [degree_odds(bonuses, threshold, rules) for bonuses, threshold in checks]
    counted = many_checks(checks, rules).tolist()

    assert [[odds.weight(degree) for degree in Degree] for odds in expected] == counted


def test_7_2_an_unreachable_margin_is_never_reached() -> None:
    """A margin of ten million points for a critical success."""
    rules = Rules(critical_margin=Points(10_000_000))
    (counted,) = many_checks([(character_bonuses(UNSKILLED), Points(-100_000))], rules).tolist()

    assert [0, HANDS, 0, 0] == counted


def test_an_empty_request_has_an_empty_result() -> None:
    assert [] == many_contests([])
    assert (0, 4) == many_checks([]).shape
