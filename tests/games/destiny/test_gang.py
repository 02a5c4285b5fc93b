"""The odds of a gang war agree with every hand of every member (§9)."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings

from oddsmith.games.destiny import (
    DEFAULT,
    Character,
    GangScore,
    Rules,
    Side,
    character_bonuses,
    gang_war,
    score_with,
)
from oddsmith.games.destiny.odds import ContestOdds, contest_odds, gang_odds, totals
from oddsmith.points import Points
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, character_with, refusal
from tests.games.destiny.conftest import UseDeck
from tests.games.destiny.strategies import characters

SIX_CARDS = "A♠ K♠ Q♠ J♠ 10♠ A♥"

TEAM = [
    UNSKILLED,
    character_with(spades=6, hearts="0.01"),
    Character(items=("lucky_ace_charm",)),
    character_with(spades=-120),
    UNSKILLED,
]

SCORES = {
    "average": Rules(),
    "sum": Rules(gang_score=GangScore.SUM),
    "best 3": Rules(gang_score=GangScore.BEST),
    "best 2": Rules(gang_score=GangScore.BEST, gang_best=2),
    "best 1": Rules(gang_score=GangScore.BEST, gang_best=1),
    "best 7": Rules(gang_score=GangScore.BEST, gang_best=7),
}


@pytest.mark.sweep
@pytest.mark.parametrize("rules", SCORES.values(), ids=SCORES)
@pytest.mark.parametrize("sizes", [(1, 1), (2, 2), (3, 1), (1, 4), (2, 3)])
def test_9_gang_odds_agree_with_every_draw(use_deck: UseDeck, rules: Rules, sizes: tuple[int, int]) -> None:
    """Every hand of every member, six for each, one war at a time, under both tie rules."""
    hands = use_deck(SIX_CARDS)
    attackers = [character_bonuses(member) for member in TEAM[: sizes[0]]]
    defenders = [character_bonuses(member, defense_bonus=Points("7.5")) for member in TEAM[::-1][: sizes[1]]]
    scores = [[score_with(hand, member) for hand in hands] for member in (*attackers, *defenders)]
    wars = [gang_war(drawn[: sizes[0]], drawn[sizes[0] :], rules) for drawn in product(*scores)]
    ties = sum(war.why == "tie" for war in wars)
    won = sum(war.winner is Side.ATTACKER for war in wars)
    generous = rules.replace(tie_favors_defender=False)

    assert ContestOdds(won, len(wars) - won) == gang_odds(attackers, defenders, rules)
    assert ContestOdds(won + ties, len(wars) - won - ties) == gang_odds(attackers, defenders, generous)


def test_9_3_brute_force_includes_ties(use_deck: UseDeck) -> None:
    """Two of a kind against one of the same often tie, and the tie rule counts."""
    use_deck(SIX_CARDS)
    two, one = [character_bonuses(UNSKILLED)] * 2, [character_bonuses(UNSKILLED)]
    strict, generous = (gang_odds(two, one, Rules(tie_favors_defender=favors)) for favors in (True, False))

    assert 6**3 == strict.total == generous.total
    assert strict.attacker < generous.attacker


@pytest.mark.parametrize("rules", SCORES.values(), ids=SCORES)
def test_9_3_one_against_one_compares_only_totals(rules: Rules) -> None:
    """On the whole deck, without the same-hand rule and the royal rule."""
    attacker, defender = (
        character_bonuses(character_with(spades=1)),
        character_bonuses(UNSKILLED, defense_bonus=Points(20)),
    )
    compared = totals(attacker).lattice.compare(totals(defender).lattice)
    expected = ContestOdds(compared.greater, compared.less + compared.equal)

    assert expected == gang_odds([attacker], [defender], rules)
    assert expected == gang_odds([attacker], [defender], rules.replace(royal_flush_auto_win=True))
    assert expected != contest_odds(attacker, defender, ROYAL)


def test_9_2_the_best_of_many_is_an_order_statistic() -> None:
    """The best of four attackers beats the best of one defender unless all four tie or are below."""
    one = character_bonuses(UNSKILLED)
    rules = Rules(gang_score=GangScore.BEST, gang_best=1)
    drawn = totals(one).lattice
    expected = sum(
        ways * (HANDS**4 - reached**4)
        for ways, reached in zip(drawn.weights.tolist(), drawn.cumulative.tolist(), strict=True)
    )

    assert ContestOdds(expected, HANDS**5 - expected) == gang_odds([one] * 4, [one], rules)


def test_9_2_best_of_at_most_as_many_members_is_the_average() -> None:
    """Best three of three and of two are averages of all; the sum is not."""
    three, two = (
        [character_bonuses(character_with(spades=3))] * 3,
        [character_bonuses(character_with(clubs=5))] * 2,
    )

    assert gang_odds(three, two) == gang_odds(three, two, Rules(gang_score=GangScore.BEST))
    assert gang_odds(three, two) != gang_odds(three, two, Rules(gang_score=GangScore.SUM))


def test_9_2_best_k_reports_progress() -> None:
    """Progress rises from side to side and ends at 1."""
    reported: list[float] = []
    one = character_bonuses(UNSKILLED)
    gang_odds([one] * 3, [one] * 2, Rules(gang_score=GangScore.BEST, gang_best=1), progress=reported.append)

    assert sorted(reported) == reported
    assert reported
    assert 1 == reported[-1]
    assert all(0 <= share <= 1 for share in reported)


@pytest.mark.parametrize(
    ("attackers", "defenders", "code"),
    [(0, 1, "empty_gang"), (1, 0, "empty_gang"), (1, 11, "gang_too_large")],
)
def test_9_4_impossible_sides_are_refused(attackers: int, defenders: int, code: str) -> None:
    """An empty side and one of eleven, before anything is counted."""
    one = character_bonuses(UNSKILLED)

    assert code == refusal(lambda: gang_odds([one] * attackers, [one] * defenders)).code


@settings(max_examples=10)
@given(characters(), characters())
def test_9_3_sides_are_symmetric_except_for_ties(one: Character, two: Character) -> None:
    """With sides exchanged and the tie rule reversed, the counts are exchanged."""
    mine, theirs = [character_bonuses(one)], [character_bonuses(two), character_bonuses(two)]
    here, there = gang_odds(mine, theirs), gang_odds(theirs, mine, Rules(tie_favors_defender=False))

    assert HANDS**3 == here.total
    assert (here.attacker, here.defender) == (there.defender, there.attacker)


def test_9_1_ten_against_ten_is_exact() -> None:
    """Ten of a kind on both sides: the chances of attack and defence differ by the chance of a tie."""
    ten = [character_bonuses(UNSKILLED)] * 10
    won = gang_odds(ten, ten, DEFAULT)
    level = gang_odds(ten, ten, Rules(tie_favors_defender=False)).attacker - won.attacker

    assert HANDS**20 == won.total
    assert won.defender == won.attacker + level
    assert Fraction(1, 2) == won.chance(Side.ATTACKER) + Fraction(level, 2 * won.total)
