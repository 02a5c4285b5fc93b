"""Results of a score against a threshold, another score, and a gang's scores (§7 to §10)."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given

from oddsmith.cards import Card, cards
from oddsmith.errors import InputError
from oddsmith.games.destiny import (
    DEFAULT,
    Character,
    Crime,
    Degree,
    GangScore,
    Reward,
    Rules,
    Score,
    Side,
    check,
    contest,
    gang_war,
    npc,
    reward,
    score,
    target,
)
from oddsmith.games.destiny.ranks import HandRank
from oddsmith.games.destiny.scoring import degree
from oddsmith.points import Points
from tests.games.destiny.builders import ROYAL, TABLE, UNSKILLED, character_with, refusal
from tests.games.destiny.strategies import characters, hands, points

ATTACKER_WINS_TIES = Rules(tie_favors_defender=False)


def score_of(held: str, character: Character = UNSKILLED, **given: int) -> Score:
    return score(cards(held), character, defense_bonus=Points(given.get("defense", 0)))


@pytest.mark.parametrize(("threshold", "succeeds"), [("33.99", True), ("34", True), ("34.01", False)])
def test_7_1_a_check_is_met_at_its_threshold(threshold: str, succeeds: bool) -> None:  # noqa: FBT001
    """34 meets 34 and misses 34.01."""
    result = check(score_of("A♠ K♦ 7♣ 5♥ 2♠"), Points(threshold))

    assert succeeds == result.degree.succeeded
    assert Points(34) - Points(threshold) == result.margin


@pytest.mark.parametrize(
    ("margin", "achieved"),
    [
        ("1000", Degree.CRITICAL_SUCCESS),
        ("100", Degree.CRITICAL_SUCCESS),
        ("99.99", Degree.SUCCESS),
        ("0", Degree.SUCCESS),
        ("-0.01", Degree.FAILURE),
        ("-50", Degree.FAILURE),
        ("-50.01", Degree.CRITICAL_FAILURE),
    ],
)
def test_7_2_the_margin_decides_the_degree(margin: str, achieved: Degree) -> None:
    """100 above is a critical success, more than 50 below a critical failure."""
    assert achieved == degree(Points(margin), HandRank.PAIR)


def test_7_2_margins_are_rules() -> None:
    """With a critical margin of 30 and a failure margin of 0, there are no plain failures."""
    rules = Rules(critical_margin=Points(30), failure_margin=Points(0))
    achieved = [degree(Points(margin), HandRank.PAIR, rules) for margin in ("30", "29.99", "-0.01")]

    assert [Degree.CRITICAL_SUCCESS, Degree.SUCCESS, Degree.CRITICAL_FAILURE] == achieved


def test_7_2_degrees_have_names() -> None:
    assert ["critical success", "success", "failure", "critical failure"] == [one.words for one in Degree]


def test_7_2_the_bank_robbery_of_test_case_4() -> None:
    """804.5 − 275 = 529.5: a critical success with twice the rewards."""
    robber = Character(skills={"lockpicking": 50, "stealth": 40})
    result = check(score(cards("K♠ Q♠ J♠ 10♠ 9♠"), robber, TABLE), target("bank_robbery").threshold)
    paid = reward(DEFAULT.crimes["bank_robbery"], result.degree)

    assert (Points("804.5"), Points(275), Points("529.5")) == (
        result.score.total, result.threshold, result.margin
    )  # fmt: skip
    assert (Degree.CRITICAL_SUCCESS, Reward(Points(2 * 55), Points(2 * 50))) == (result.degree, paid)


@pytest.mark.parametrize(
    ("crime", "threshold", "energy", "difficulty"),
    [
        ("pickpocket", 80, 10, "easy"),
        ("petty_theft", 100, 15, "easy"),
        ("burglary", 150, 25, "medium"),
        ("stagecoach_robbery", 200, 40, "medium"),
        ("bank_robbery", 275, 50, "hard"),
        ("train_heist", 350, 75, "very hard"),
        ("legendary_score", 450, 100, "extreme"),
    ],
)
def test_7_3_crimes_of_the_rules_page(crime: str, threshold: int, energy: int, difficulty: str) -> None:
    """Each with its threshold, its energy and its difficulty."""
    aimed = target(crime)

    assert (crime, Points(threshold), energy, difficulty) == (
        aimed.name, aimed.threshold, aimed.energy, aimed.difficulty
    )  # fmt: skip


@pytest.mark.parametrize(
    ("name", "threshold", "difficulty"),
    [
        ("trivial", 50, "trivial"),
        ("easy", 100, "easy"),
        ("medium", 150, "medium"),
        ("hard", 250, "hard"),
        ("very_hard", 350, "very hard"),
        ("extreme", 500, "extreme"),
    ],
)
def test_7_4_skill_checks_of_the_rules_page(name: str, threshold: int, difficulty: str) -> None:
    """They have a threshold and cost no energy."""
    aimed = target(name)

    assert (name, Points(threshold), None, difficulty) == (
        aimed.name, aimed.threshold, aimed.energy, aimed.difficulty
    )  # fmt: skip


@pytest.mark.parametrize("number", ["42.5", "0", "-10", "100000"])
def test_7_4_a_target_may_be_a_number(number: str) -> None:
    """A number is its own threshold and has no name."""
    aimed = target(number)

    assert (None, Points(number), None) == (aimed.name, aimed.threshold, aimed.energy)


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        ("bank", "unknown_target", "unknown crime or skill check 'bank'"),
        ("verry_hard", "unknown_target", "did you mean 'very_hard'?"),
        ("", "unknown_target", "known: pickpocket, "),
        ("100000.01", "out_of_bounds", "a threshold lies within ±100000"),
        ("1.005", "too_many_decimals", "points have at most two decimals"),
        ("1e3", "not_a_number", "points must be a number"),
    ],
)
def test_7_4_an_invalid_target_is_refused(given: str, code: str, words: str) -> None:
    """The sentence lists known names, or says what is wrong with the number."""
    refused = refusal(lambda: target(given), InputError)

    assert code == refused.code
    assert words in refused.sentence


def test_7_5_the_royal_rule_is_off_by_default() -> None:
    """A royal flush of 500 fails a threshold of 600 critically."""
    assert Degree.CRITICAL_FAILURE == check(score_of("A♠ K♠ Q♠ J♠ 10♠"), Points(600)).degree


@pytest.mark.parametrize("threshold", [0, 450, 600, 100_000])
def test_7_5_with_the_royal_rule_a_royal_flush_is_a_critical_success(threshold: int) -> None:
    """At every threshold; a straight flush is judged as usual."""
    royal, straight = score_of("A♠ K♠ Q♠ J♠ 10♠"), score_of("K♠ Q♠ J♠ 10♠ 9♠")

    assert Degree.CRITICAL_SUCCESS == check(royal, Points(threshold), ROYAL).degree
    assert check(straight, Points(threshold)).degree == check(straight, Points(threshold), ROYAL).degree


def test_8_1_test_case_1_is_won_by_the_attacker() -> None:
    """636.4 beats 156.57."""
    attacker = score_of("A♠ K♠ Q♠ J♠ 10♠", character_with(clubs="40.40", spades="27.28"))
    defender = score_of("7♣ 7♥ A♦ K♠ 3♣", character_with(clubs="45.49", hearts="21.59"))
    result = contest(attacker, defender)

    assert (Points("636.4"), Points("156.57")) == (result.attacker.total, result.defender.total)
    assert (Side.ATTACKER, "higher_total") == (result.winner, result.why)


def test_8_1_test_case_3_is_won_by_the_defender() -> None:
    """220.84 beats 43.69."""
    attacker = score_of("A♠ K♦ 9♣ 7♥ 2♠", character_with(diamonds="7.69"))
    defender = score_of("A♣ Q♥ 10♦ 6♠ 3♣", character_with(clubs="92.42"))
    result = contest(attacker, defender)

    assert (Points("43.69"), Points("220.84")) == (result.attacker.total, result.defender.total)
    assert (Side.DEFENDER, "higher_total") == (result.winner, result.why)


def test_8_1_test_case_5_has_a_territory() -> None:
    """179.47 beats 145.23 + 15 = 160.23."""
    attacker = score_of("A♣ A♦ K♣ Q♥ J♣", character_with(clubs="45.49"))
    defender = score_of("10♣ 10♠ 9♣ 7♥ 5♣", character_with(clubs="35.41"), defense=15)
    result = contest(attacker, defender)

    assert (Points("179.47"), Points("160.23")) == (result.attacker.total, result.defender.total)
    assert Side.ATTACKER == result.winner


@pytest.mark.parametrize(("rules", "winner"), [(DEFAULT, Side.DEFENDER), (ATTACKER_WINS_TIES, Side.ATTACKER)])
def test_8_2_a_tie_goes_to_the_defender(rules: Rules, winner: Side) -> None:
    """Or to the attacker, with `tie_favors_defender` off."""
    result = contest(score_of("A♠ K♦ 7♣ 5♥ 2♠"), score_of("A♥ K♣ 7♠ 5♦ 2♥"), rules)

    assert (winner, "tie") == (result.winner, result.why)


def test_8_3_the_same_hand_is_decided_by_suit_scores() -> None:
    """A charm of +15 raises the defender's total, but only suit scores are compared: 2 × 6 against 2 × 5."""
    held = "A♠ K♦ 7♣ 5♥ 2♠"
    attacker, defender = (
        score_of(held, character_with(spades=6)),
        score_of(held, Character(items=("lucky_ace_charm",))),
    )
    result = contest(attacker, defender)

    assert attacker.total < defender.total
    assert (Side.ATTACKER, "same_hand") == (result.winner, result.why)


def test_8_3_the_order_of_cards_does_not_matter() -> None:
    defender = score_of("2♠ 5♥ 7♣ K♦ A♠", character_with(spades=5), defense=100)

    assert "same_hand" == contest(score_of("A♠ K♦ 7♣ 5♥ 2♠", character_with(spades=6)), defender).why


@pytest.mark.parametrize(("rules", "winner"), [(DEFAULT, Side.DEFENDER), (ATTACKER_WINS_TIES, Side.ATTACKER)])
def test_8_3_equal_suit_scores_are_a_tie(rules: Rules, winner: Side) -> None:
    """The tie rule decides, whatever the totals are."""
    held = "A♠ K♦ 7♣ 5♥ 2♠"
    result = contest(score_of(held, Character(items=("iron_horseshoe",))), score_of(held, defense=-20), rules)

    assert (winner, "tie") == (result.winner, result.why)


def test_8_3_another_hand_of_the_same_class_is_not_the_same() -> None:
    """Totals decide between A♠ K♦ 7♣ 5♥ 2♠ and A♠ K♦ 7♣ 5♥ 3♠."""
    charmed = Character(items=("lucky_ace_charm",))
    result = contest(
        score_of("A♠ K♦ 7♣ 5♥ 2♠", character_with(spades=6)), score_of("A♠ K♦ 7♣ 5♥ 3♠", charmed)
    )

    assert (Side.DEFENDER, "higher_total") == (result.winner, result.why)


def test_8_4_an_npc_draws_as_a_player_does() -> None:
    """An elite of 40.37 in every suit scores 34 + 5 × 40.37."""
    assert Points("235.85") == score_of("A♠ K♦ 7♣ 5♥ 2♠", npc("elite")).total


@pytest.mark.parametrize(("rules", "winner"), [(DEFAULT, Side.DEFENDER), (ROYAL, Side.ATTACKER)])
def test_8_5_with_the_royal_rule_a_royal_flush_wins(rules: Rules, winner: Side) -> None:
    """500 loses to a straight flush of 800 without the rule and wins with it."""
    result = contest(
        score_of("A♠ K♠ Q♠ J♠ 10♠"), score_of("K♥ Q♥ J♥ 10♥ 9♥", character_with(hearts=80)), rules
    )

    assert (winner, "royal_flush" if rules is ROYAL else "higher_total") == (result.winner, result.why)


def test_8_5_the_defenders_royal_flush_wins_too() -> None:
    """At any total of the attacker."""
    result = contest(
        score_of("K♥ Q♥ J♥ 10♥ 9♥", character_with(hearts=80)), score_of("A♠ K♠ Q♠ J♠ 10♠"), ROYAL
    )

    assert (Side.DEFENDER, "royal_flush") == (result.winner, result.why)


@pytest.mark.parametrize(
    ("held", "winner", "why"),
    [("A♥ K♥ Q♥ J♥ 10♥", Side.DEFENDER, "higher_total"), ("A♠ K♠ Q♠ J♠ 10♠", Side.ATTACKER, "same_hand")],
)
def test_8_5_two_royal_flushes_are_compared_as_usual(held: str, winner: Side, why: str) -> None:
    """By totals; the same one by suit scores."""
    attacker, defender = score_of("A♠ K♠ Q♠ J♠ 10♠", character_with(spades=1)), score_of(held, defense=100)
    result = contest(attacker, defender, ROYAL)

    assert (winner, why) == (result.winner, result.why)


HIGH, MIDDLE, LOW = "A♠ K♠ Q♠ J♠ 10♠", "9♣ 8♠ 7♦ 6♥ 5♣", "A♠ K♦ 7♣ 5♥ 2♠"  # 500, 150, 34


@pytest.mark.parametrize(
    ("kind", "best", "score_of_five", "score_of_two"),
    [
        (GangScore.AVERAGE, 3, Fraction(500 + 150 + 150 + 34 + 34, 5), Fraction(534, 2)),
        (GangScore.SUM, 3, Fraction(868), Fraction(534)),
        (GangScore.BEST, 3, Fraction(800, 3), Fraction(534, 2)),
        (GangScore.BEST, 1, Fraction(500), Fraction(500)),
        (GangScore.BEST, 5, Fraction(868, 5), Fraction(534, 2)),
        (GangScore.BEST, 9, Fraction(868, 5), Fraction(534, 2)),
    ],
)
def test_9_2_the_score_of_a_side(
    kind: GangScore, best: int, score_of_five: Fraction, score_of_two: Fraction
) -> None:
    """The average, the sum, or the average of the best k; of all where there are fewer."""
    five = [score_of(held) for held in (LOW, MIDDLE, HIGH, LOW, MIDDLE)]
    two = [score_of(held) for held in (HIGH, LOW)]
    result = gang_war(five, two, Rules(gang_score=kind, gang_best=best))

    assert (score_of_five, score_of_two) == (result.attack, result.defense)
    assert (Side.ATTACKER if score_of_five > score_of_two else Side.DEFENDER) == result.winner


def test_9_1_the_defence_bonus_is_in_each_defenders_total() -> None:
    """Two defenders with 15 each have an average that is 15 higher."""
    result = gang_war([score_of(LOW)], [score_of(LOW, defense=15), score_of(HIGH, defense=15)])

    assert (Fraction(34), Fraction(534, 2) + 15) == (result.attack, result.defense)


def test_9_3_averages_are_compared_exactly() -> None:
    """A third of a hundredth decides: 34 + 0.01/3 beats 34, where rounding would give a tie."""
    thirds = [score_of(LOW, character_with(hearts="0.01")), score_of(LOW), score_of(LOW)]
    result = gang_war(thirds, [score_of(LOW)])

    assert (Side.ATTACKER, "higher_score") == (result.winner, result.why)
    assert Fraction(1, 300) == result.attack - result.defense


@pytest.mark.parametrize(("rules", "winner"), [(DEFAULT, Side.DEFENDER), (ATTACKER_WINS_TIES, Side.ATTACKER)])
def test_9_3_a_tie_is_decided_as_in_a_contest(rules: Rules, winner: Side) -> None:
    """For the defender, or for the attacker."""
    result = gang_war([score_of(LOW)] * 3, [score_of(LOW)] * 2, rules)

    assert (winner, "tie") == (result.winner, result.why)


def test_9_3_the_same_hand_and_royal_rules_do_not_apply() -> None:
    """One against one with the same royal flush: totals decide, against the suit scores."""
    attacker, defender = score_of(HIGH, character_with(spades=1)), score_of(HIGH, defense=100)
    royal = gang_war([score_of(HIGH)], [score_of("K♥ Q♥ J♥ 10♥ 9♥", character_with(hearts=80))], ROYAL)

    assert Side.ATTACKER == contest(attacker, defender, ROYAL).winner
    assert (Side.DEFENDER, Side.DEFENDER) == (gang_war([attacker], [defender], ROYAL).winner, royal.winner)


@pytest.mark.parametrize(
    ("sizes", "code"), [((0, 1), "empty_gang"), ((1, 0), "empty_gang"), ((11, 1), "gang_too_large")]
)
def test_9_4_a_side_has_one_to_ten_members(sizes: tuple[int, int], code: str) -> None:
    """Empty sides and more than ten members are refused."""
    attackers, defenders = ([score_of(LOW)] * size for size in sizes)
    refused = refusal(lambda: gang_war(attackers, defenders))

    assert (code, "9.4") == (refused.code, refused.paragraph)


def test_9_4_the_limit_is_a_rule() -> None:
    """With a limit of two, three are too many."""
    refused = refusal(lambda: gang_war([score_of(LOW)] * 2, [score_of(LOW)] * 3, Rules(gang_limit=2)))

    assert "a gang has at most 2 members, not 3" == refused.sentence


@pytest.mark.parametrize(
    ("achieved", "gold", "experience"),
    [
        (Degree.CRITICAL_SUCCESS, "110", 100),
        (Degree.SUCCESS, "55", 50),
        (Degree.FAILURE, "-5.5", 0),
        (Degree.CRITICAL_FAILURE, "-27.5", 0),
    ],
)
def test_10_2_pay_of_a_bank_robbery(achieved: Degree, gold: str, experience: int) -> None:
    """A fifth of 275 is 55, twice that is 110, a tenth or half of it is lost; 50 experience, or 100."""
    paid = reward(DEFAULT.crimes["bank_robbery"], achieved)

    assert (Points(gold), Points(experience)) == (paid.gold, paid.experience)


@pytest.mark.parametrize(
    ("achieved", "gold", "experience"),
    [
        (Degree.CRITICAL_SUCCESS, "82.5", "75"),
        (Degree.SUCCESS, "27.5", "25"),
        (Degree.FAILURE, "-5.5", "0"),
        (Degree.CRITICAL_FAILURE, "-110", "0"),
    ],
)
def test_10_3_all_factors_are_rules(achieved: Degree, gold: str, experience: str) -> None:
    """One and a half times, half, a tenth lost, twice lost."""
    rules = Rules(
        critical_success_factor=Decimal("1.5"),
        success_factor=Decimal("0.5"),
        failure_penalty=Decimal("0.1"),
        critical_failure_penalty=Decimal(2),
        critical_failure_buff="",
    )

    assert Reward(Points(gold), Points(experience)) == reward(DEFAULT.crimes["bank_robbery"], achieved, rules)


def test_10_2_base_gold_is_rounded_to_hundredths() -> None:
    """A third of a point for each point of the threshold: 0.333 × 0.5 = 0.1665, rounded to 0.17."""
    crime = Crime(threshold=Points("0.5"), energy=1)

    assert Points("0.17") == reward(crime, Degree.SUCCESS, Rules(gold_per_point=Decimal("0.333"))).gold


@given(hands(), hands(), characters(), characters())
def test_8_1_one_side_wins_and_sides_are_symmetric_except_for_ties(
    held: tuple[Card, ...], other: tuple[Card, ...], one: Character, two: Character
) -> None:
    """With seats exchanged and the tie rule reversed, the same contender wins."""
    mine, theirs = score(held, one), score(other, two)
    here, there = contest(mine, theirs), contest(theirs, mine, ATTACKER_WINS_TIES)

    assert here.winner is there.winner.other
    assert here.why == there.why


@given(hands(), characters(), points())
def test_7_2_the_degree_agrees_with_success(
    held: tuple[Card, ...], character: Character, threshold: Points
) -> None:
    """A check succeeds exactly when the total is at least the threshold."""
    result = check(score(held, character), threshold)

    assert (result.score.total >= threshold) == result.degree.succeeded
