"""Tables that many share say what is counted for each by itself (§7, §8)."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.games.destiny import DEFAULT, Bonuses, Character, Degree, Rules, character_bonuses, pairings
from oddsmith.games.destiny.odds import contest_odds, degree_odds
from oddsmith.games.destiny.pairings import many_checks, many_contests
from oddsmith.points import Points
from oddsmith.poker import HandRank
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, bonus
from tests.games.destiny.people import PEOPLE, RICHER, Somebody
from tests.games.destiny.strategies import characters, points

CENTS = Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points("30.37")})
RULES = {
    "default": DEFAULT,
    "attacker wins ties": Rules(tie_favors_defender=False),
    "royal": ROYAL,
    "scores of a tenth": Rules(hand_scores={**DEFAULT.hand_scores, HandRank.PAIR: Points("30.5")}),
    "scores of a cent": CENTS,
    "all hands alike": Rules(hand_scores=dict.fromkeys(HandRank, Points(0))),
    "no margins": Rules(critical_margin=Points(0), failure_margin=Points(0)),
    "richer": RICHER,
}
THRESHOLDS = [Points(number) for number in ("-60", "0", "34", "80.01", "150", "275", "512.4", "2000")]


def known_bonuses(rules: Rules) -> list[Bonuses]:
    """Return what the people bring under other rules; the one with things of its own only under its own."""
    known = [who for who in PEOPLE.values() if set(who.character.items) <= set(rules.items)]
    return [Somebody(who.character, rules, who.at, who.defense).bonuses for who in known if _fits(who, rules)]


def _fits(who: Somebody, rules: Rules) -> bool:
    return set(who.character.buffs) <= set(rules.buffs)


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_8_many_contests_are_those_of_one_by_one(rules: Rules) -> None:
    """Everybody against everybody: floors, boosts, walls, ties and the same five cards included."""
    pairs = [*product(known_bonuses(rules)[:9], known_bonuses(rules)[5:])]
    expected = [contest_odds(attacker, defender, rules) for attacker, defender in pairs]

    assert expected == many_contests(pairs, rules)


def test_8_3_the_same_hand_is_decided_by_suits_in_a_table_too() -> None:
    """With a wall of 700 the attacker wins exactly the pairs of equal hands, once in 2,598,960²."""
    wall = character_bonuses(UNSKILLED, defense_bonus=Points(700))
    (odds,) = many_contests([(character_bonuses(bonus(spades=1, hearts=1, clubs=1, diamonds=1)), wall)])

    assert HANDS == odds.attacker
    assert HANDS**2 == odds.total


@settings(max_examples=20)
@given(st.lists(st.tuples(characters(), characters(), points()), min_size=1, max_size=4))
def test_8_any_contests_are_those_of_one_by_one(asked: list[tuple[Character, Character, Points]]) -> None:
    """Whoever meets whom, wherever."""
    pairs = [
        (character_bonuses(attacker), character_bonuses(defender, defense_bonus=defense))
        for attacker, defender, defense in asked
    ]
    expected = [contest_odds(*pair) for pair in pairs]

    assert expected == many_contests(pairs)


def test_8_scores_too_far_apart_in_steps_are_counted_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a table would be too long there is none, and the answer is the same."""
    monkeypatch.setattr(pairings, "MOST_STEPS", 10)
    pairings._lead_counts.cache_clear()
    pair = character_bonuses(bonus(spades=20)), character_bonuses(bonus(hearts="12.5"))
    answers = many_contests([pair])
    pairings._lead_counts.cache_clear()

    assert [contest_odds(*pair)] == answers


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_7_2_many_checks_are_those_of_one_by_one(rules: Rules) -> None:
    """Everybody against every threshold, degree by degree."""
    checks = [*product(known_bonuses(rules), THRESHOLDS)]
    expected = [degree_odds(bonuses, threshold, rules) for bonuses, threshold in checks]
    counted = many_checks(checks, rules).tolist()

    assert [[odds.weight(degree) for degree in Degree] for odds in expected] == counted


def test_7_2_a_margin_that_nobody_has_is_never_reached() -> None:
    """A critical success by ten million points is none."""
    rules = Rules(critical_margin=Points(10_000_000))
    (counted,) = many_checks([(character_bonuses(UNSKILLED), Points(-100_000))], rules).tolist()

    assert [0, HANDS, 0, 0] == counted


def test_nobody_asked_nothing_is_answered() -> None:
    """No contest, no odds; no check, no row."""
    assert [] == many_contests([])
    assert (0, 4) == many_checks([]).shape
