"""The threshold and the level that are needed for a chance of success, compared with a linear scan (§7)."""

from decimal import Decimal
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.cards import Suit
from oddsmith.games.destiny import DEFAULT, Bonuses, Character, Rules, character_bonuses
from oddsmith.games.destiny.odds import (
    NeededLevel,
    NeededThreshold,
    needed_level,
    needed_threshold,
    success_chance,
    totals,
)
from oddsmith.games.destiny.questions.checks import (
    LEVEL,
    THRESHOLD,
    NeededLevelRequest,
    NeededThresholdRequest,
    SoughtCharacter,
)
from oddsmith.points import Points
from tests.games.destiny.builders import HANDS, ROYAL, UNSKILLED, answer, character_with, refusal
from tests.games.destiny.people import PEOPLE, Contender
from tests.games.destiny.strategies import characters

HALF = Fraction(1, 2)
BEYOND = Points(100_000)


@cache
def scan_thresholds(name: str) -> list[NeededThreshold]:
    """Return the chance at every total that a character can draw, the highest first, after one beyond all totals."""
    bonuses, rules = _bonuses_and_rules(name)
    candidates = [total for total, _ in totals(bonuses, rules).items()]
    return [
        NeededThreshold(None, success_chance(bonuses, BEYOND, rules)),
        *(NeededThreshold(total, success_chance(bonuses, total, rules)) for total in reversed(candidates)),
    ]


def _bonuses_and_rules(name: str) -> tuple[Bonuses, Rules]:
    who = PEOPLE[name]
    few = (
        character_bonuses(character_with(spades="12.5", hearts=-3), who.rules)
        if name == "royal rule"
        else who.bonuses
    )
    return few, who.rules


@pytest.mark.parametrize("who", PEOPLE.values(), ids=PEOPLE)
def test_7_1_needed_threshold_agrees_with_every_total(who: Contender) -> None:
    """For chances at and near those of the totals."""
    drawn = totals(who.bonuses, who.rules)
    for share in (0, HALF, Fraction(9, 10), 1):
        total = drawn.quantile(Fraction(share))
        exactly = success_chance(who.bonuses, total, who.rules)
        at_exactly = needed_threshold(who.bonuses, exactly, who.rules)

        assert total == at_exactly.threshold or at_exactly.threshold is None
        assert exactly == at_exactly.chance


@pytest.mark.parametrize(
    "name", ["unskilled", "hits the floor", "always at the floor", "royal rule", "other rules"]
)
@pytest.mark.parametrize("success", [Fraction(1), Fraction(9, 10), HALF, Fraction(1, 97), Fraction(1, HANDS)])
def test_7_1_needed_threshold_agrees_with_a_linear_scan(name: str, success: Fraction) -> None:
    """The highest total that is reached often enough, with its chance."""
    bonuses, rules = _bonuses_and_rules(name)
    found = next(one for one in scan_thresholds(name) if one.chance >= success)

    assert found == needed_threshold(bonuses, success, rules)


def test_7_1_needed_threshold_of_an_unskilled_character() -> None:
    """38 is reached in more than half of all hands, 39 in fewer."""
    unskilled = character_bonuses(UNSKILLED)

    assert NeededThreshold(Points(38), Fraction(21_687, 43_316)) == needed_threshold(unskilled, HALF)
    assert success_chance(unskilled, Points(39)) < HALF < success_chance(unskilled, Points(38))
    assert NeededThreshold(Points(16), Fraction(1)) == needed_threshold(unskilled, Fraction(1))
    assert NeededThreshold(Points(500), Fraction(4, HANDS)) == needed_threshold(unskilled, Fraction(1, HANDS))


@pytest.mark.parametrize("wanted", [1, 2, 4])
def test_7_5_with_the_royal_rule_any_threshold_is_met_in_four_hands(wanted: int) -> None:
    """All four royal flushes meet it, also where their totals differ."""
    thief = character_bonuses(Character(skills={"lockpicking": 50}))

    assert NeededThreshold(None, Fraction(4, HANDS)) == needed_threshold(
        thief, Fraction(wanted, HANDS), ROYAL
    )
    assert needed_threshold(thief, Fraction(5, HANDS), ROYAL).threshold is not None


@pytest.mark.parametrize("success", [Fraction(0), Fraction(-1, 2), Fraction(3, 2)])
def test_7_1_a_wanted_chance_is_above_0_and_at_most_1(success: Fraction) -> None:
    """Both questions refuse other values."""
    for refused in (
        refusal(lambda: needed_threshold(character_bonuses(UNSKILLED), success)),
        refusal(lambda: needed_level(UNSKILLED, "stealth", Points(80), success)),
    ):
        assert "bad_chance" == refused.code
        assert f"a wanted chance lies above 0 and up to 1, not {success}" == refused.sentence


def scan_levels(
    character: Character, skill: str, threshold: Points, success: Fraction, rules: Rules, *, at: int = 0
) -> NeededLevel:
    """Try every level; return the least that is enough, or the least of the best."""
    chances = {}
    for level in range(1, rules.max_level + 1):
        trained = Character(
            skills={**character.skills, skill: level},
            bonuses=character.bonuses,
            items=character.items,
            location=character.location,
            buffs=character.buffs,
        )
        chances[level] = success_chance(character_bonuses(trained, rules, at=at), threshold, rules)
    enough = [level for level, chance in chances.items() if chance >= success]
    best = min(chances, key=lambda level: (-chances[level], level))
    if enough:
        return NeededLevel(enough[0], chances[enough[0]], enough[0], chances[enough[0]])
    return NeededLevel(None, chances[best], best, chances[best])


FALLING = Rules(
    curve_linear=Decimal(2), curve_exponent=Decimal(2), curve_coefficient=Decimal("-0.1"), max_level=70
)
"""A curve that rises to 10 at level 11 and falls below 0 after level 21: 2·(L−1) − (L−1)²/10."""


@pytest.mark.parametrize(
    ("character", "threshold", "success", "rules", "at"),
    [
        (Character(skills={"stealth": 40}), "150", HALF, Rules(), 0),
        (Character(skills={"lockpicking": 100}), "80", Fraction(1, 3), Rules(), 0),
        (UNSKILLED, "275", Fraction(9, 10), Rules(), 0),
        (Character(items=("lucky_ace_charm",), buffs={"poisoned": 0}), "60", HALF, Rules(), 599),
        (Character(items=("lucky_ace_charm",), buffs={"poisoned": 0}), "60", HALF, Rules(), 600),
        (UNSKILLED, "0", Fraction(1), Rules(), 0),
        (UNSKILLED, "90000", Fraction(1, HANDS), ROYAL, 0),
        (UNSKILLED, "90000", Fraction(1, HANDS), Rules(), 0),
        (UNSKILLED, "50", HALF, Rules.preset("printed_table"), 0),
    ],
)
def test_4_needed_level_agrees_with_a_linear_scan(
    character: Character, threshold: str, success: Fraction, rules: Rules, at: int
) -> None:
    """The least level that succeeds often enough; otherwise None, and the best level."""
    needed = needed_level(character, "lockpicking", Points(threshold), success, rules, at=at)

    assert scan_levels(character, "lockpicking", Points(threshold), success, rules, at=at) == needed


@pytest.mark.parametrize("success", [Fraction(1, 3), HALF, Fraction(1)])
def test_4_1_needed_level_on_a_curve_that_falls(success: Fraction) -> None:
    """On a curve that rises and falls, the best level is in the middle."""
    needed = needed_level(UNSKILLED, "tracking", Points(60), success, FALLING)

    assert scan_levels(UNSKILLED, "tracking", Points(60), success, FALLING) == needed
    assert needed.best_level <= 11


def test_4_needed_level_of_the_rules_page() -> None:
    """With stealth 40, lockpicking 93 makes burglary a success in half of all tries."""
    needed = needed_level(Character(skills={"stealth": 40}), "lockpicking", Points(150), HALF)

    assert 93 == needed.level == needed.best_level
    assert needed.chance == needed.best_chance >= HALF


def test_4_3_no_level_may_be_enough() -> None:
    """No single skill robs a bank nine times in ten; level 100 has the best chance."""
    needed = needed_level(UNSKILLED, "lockpicking", Points(275), Fraction(9, 10))

    assert (None, 100) == (needed.level, needed.best_level)
    assert needed.chance == needed.best_chance < Fraction(9, 10)


def test_3_4_needed_level_of_an_unknown_skill_is_refused() -> None:
    """The refusal names the nearest known skill."""
    refused = refusal(lambda: needed_level(UNSKILLED, "lock_picking", Points(80), HALF))

    assert "unknown_skill" == refused.code
    assert "did you mean 'lockpicking'?" in refused.sentence


@settings(max_examples=30)
@given(characters(), st.integers(1, HANDS), st.booleans())
def test_7_1_a_hundredth_more_is_too_high(character: Character, ways: int, royal: bool) -> None:  # noqa: FBT001
    """The needed threshold is met often enough, and the next hundredth is not."""
    success = Fraction(ways, HANDS)
    bonuses, rules = character_bonuses(character), Rules(royal_flush_auto_win=royal)
    needed = needed_threshold(bonuses, success, rules)
    threshold = BEYOND if needed.threshold is None else needed.threshold

    assert needed.chance == success_chance(bonuses, threshold, rules) >= success
    assert needed.threshold is None or success > success_chance(bonuses, threshold + Points("0.01"), rules)


def test_7_1_suits_do_not_change_the_needed_threshold() -> None:
    """A bonus in one suit is as good as the same bonus in another."""
    assert 1 == len(
        {needed_threshold(character_bonuses(character_with(**{suit: 25})), HALF).threshold for suit in Suit}
    )


# --- the questions ---------------------------------------------------------------------------------------------------


def test_4_the_question_finds_a_level_with_other_skills_given() -> None:
    """With stealth 40, lockpicking 93 makes burglary a success in half of all tries."""
    thief = SoughtCharacter(skills={"stealth": 40, "lockpicking": None})
    found = answer(LEVEL, NeededLevelRequest(target="burglary", success="50%", character=thief))
    exact = needed_level(Character(skills={"stealth": 40}), "lockpicking", Points(150), HALF)

    assert ("lockpicking", 93, HALF) == (found.skill, found.level, found.success)
    assert (exact.chance, exact.best_level, exact.best_chance) == (
        found.chance,
        found.best_level,
        found.best_chance,
    )


def test_4_the_question_finds_a_level_of_an_outlaw() -> None:
    """The outlaw's own level of the skill is ignored."""
    rose = SoughtCharacter(outlaw="calamity_rose", skills={"lockpicking": None})
    found = answer(LEVEL, NeededLevelRequest(target=150, success="1/2", character=rose))

    assert (
        needed_level(DEFAULT.outlaws["calamity_rose"], "lockpicking", Points(150), HALF).level == found.level
    )


@pytest.mark.parametrize("skills", [{}, {"stealth": 40}, {"stealth": None, "mining": None}], ids=str)
def test_4_exactly_one_level_can_be_requested(skills: dict[str, int | None]) -> None:
    request = NeededLevelRequest(target="easy", success="1/2", character=SoughtCharacter(skills=skills))

    assert "one_skill" == refusal(lambda: answer(LEVEL, request)).code


def test_7_1_the_question_finds_a_threshold() -> None:
    """Half of all plain draws reach 38; by the royal rule, any threshold is met now and then."""
    plain = answer(THRESHOLD, NeededThresholdRequest(success="1/2"))
    royal = answer(THRESHOLD, NeededThresholdRequest(success="1/1000000", rules="royal"))

    assert (HALF, Points(38), Fraction(21_687, 43_316)) == (plain.success, plain.threshold, plain.chance)
    assert (None, Fraction(4, HANDS)) == (royal.threshold, royal.chance)
