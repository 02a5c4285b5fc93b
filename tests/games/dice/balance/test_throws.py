"""Counts of rolls, compared with every roll one by one."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.exhibit import Example, UnderpaidCase
from oddsmith.games.dice import DEFAULT, Build, FaceEffect, Kind, PoolDie, Rules, Selection, score
from oddsmith.games.dice.odds import roll_odds
from oddsmith.games.dice.parts import FACES, HANDS, KINDS
from oddsmith.games.dice.scoring import count_faces, matching_hands
from oddsmith.games.dice.throws import Throws, pool_sizes, with_plain_normal_dice
from tests.games.dice.builders import BEST_SCORE

SIZE = 4
CASES = 6**SIZE


def test_pools_range_from_the_first_dice_to_the_most() -> None:
    assert range(5, 11) == pool_sizes(DEFAULT)


@pytest.mark.parametrize("rules", [DEFAULT, BEST_SCORE])
def test_counts_agree_with_the_rule(rules: Rules) -> None:
    """Hands made, hands scored and rolls with a better hand, roll by roll."""
    levels = {"pair": 5}
    build, best = (
        Build(dice=(PoolDie("normal"),) * SIZE, levels=levels),
        rules.replace(selection=Selection.BEST_SCORE),
    )
    throws = Throws(rules, SIZE, levels)
    made, scored = Counter[str](), Counter[str]()
    missed = 0
    for faces in product(FACES, repeat=SIZE):
        made.update(name for name, _ in matching_hands(count_faces(faces), rules))
        scored[score(build, faces, rules).hand] += 1
        missed += score(build, faces, rules).total < score(build, faces, best).total

    assert {name: Fraction(made[name], CASES) for name in HANDS} == {
        name: throws.made_chance(name) for name in HANDS
    }
    assert {name: Fraction(scored[name], CASES) for name in HANDS} == {
        name: throws.scored_chance(name) for name in HANDS
    }
    assert Fraction(missed, CASES) == throws.missed_chance


@settings(max_examples=20)
@given(size=st.integers(1, 6), levels=st.dictionaries(st.sampled_from(sorted(HANDS)), st.integers(0, 5)))
def test_counts_agree_with_the_odds_of_a_roll(size: int, levels: dict[str, int]) -> None:
    """Shares of rolls are chances of one roll."""
    throws = Throws(DEFAULT, size, levels)
    odds = roll_odds(Build(dice=(PoolDie("normal"),) * size, levels=levels))

    assert odds.missed_chance == throws.missed_chance
    assert [odds.hands.probability(name) for name in HANDS] == [throws.scored_chance(name) for name in HANDS]


def test_the_roll_with_the_largest_loss_is_the_example() -> None:
    """4 4 6 6 6 is a full house for 165, and would be all even for 198."""
    expected = UnderpaidCase(
        text="4 4 6 6 6",
        selected="full_house",
        worth=Fraction(165),
        better="all_even",
        better_worth=Fraction(198),
    )

    assert expected == Throws(DEFAULT, 5).costliest_selection()
    assert None is Throws(DEFAULT, 7).costliest_selection()
    assert None is Throws(BEST_SCORE, 5).costliest_selection()


def test_examples_have_the_least_and_the_greatest_score_of_a_hand() -> None:
    """A full run scores 454 with any other dice; six dice are never scored as all even."""
    run = Example(text="1 2 3 4 5 6", worth=Fraction(454))

    assert (run, run) == Throws(DEFAULT, 6).examples("full_run")
    assert None is Throws(DEFAULT, 6).examples("all_even")


def test_faces_without_weight_are_not_counted() -> None:
    """Dice that show only 1 to 3 have no sixes: their largest loss is 1 1 3 3 3."""
    rules = DEFAULT.replace(kinds={**KINDS, "normal": KINDS["light"]})
    throws = Throws(rules, 5)
    examples, worst = throws.examples("five_of_a_kind"), throws.costliest_selection()

    assert examples is not None
    assert worst is not None
    assert ("1 1 1 1 1", "3 3 3 3 3") == (examples[0].text, examples[1].text)
    assert None is throws.examples("all_even")
    assert ("1 1 3 3 3", Fraction(20, 243)) == (worst.text, throws.missed_chance)


def test_wild_normal_dice_are_counted_as_they_fall() -> None:
    """Where normal dice are wild, the table of hands shows plain ones."""
    rules = DEFAULT.replace(kinds={**KINDS, "normal": Kind(effect=FaceEffect.WILD)})

    assert DEFAULT == with_plain_normal_dice(DEFAULT)
    assert DEFAULT == with_plain_normal_dice(rules)
    assert Fraction(5, 324) == Throws(rules, 5).missed_chance
