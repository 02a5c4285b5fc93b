"""The best choice at every roll, compared with every keep by brute force and with simulated play."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oddsmith.errors import InputError, WorkLimitError
from oddsmith.games.dice.model import Build, FixedDie, SetWild
from oddsmith.games.dice.odds import plan_rerolls
from oddsmith.games.dice.parts import FACES
from oddsmith.games.dice.pools import Pool
from oddsmith.games.dice.rules import DEFAULT, BossKind, Rules
from oddsmith.odds.rerolls import count_positions
from tests.games.dice.builders import build
from tests.games.dice.oracle import Rerolls, state_before_roll
from tests.games.dice.test_odds import rounds

MIXED = "normal normal normal normal glass glass glass odd odd odd"


def test_9_2_one_die_and_one_reroll_by_hand() -> None:
    """A die scores 5 plus its face: 1 to 3 are rerolled, which makes 37/4 of 17/2."""
    plan = plan_rerolls(build("normal"), 1)

    assert Fraction(17, 2) == plan.start_value(0)
    assert Fraction(37, 4) == plan.start_value(1)
    assert () == plan.best((3,), 1).keep
    assert (0,) == plan.best((4,), 1).keep


@pytest.mark.sweep
@given(rounds(), st.sampled_from([None, 12, 40]))
@settings(max_examples=8, deadline=None)
def test_9_2_any_pool_agrees_with_brute_force_over_every_keep(
    case: tuple[Build, Rules, BossKind | None, FixedDie | None], target: int | None
) -> None:
    """Mixed kinds, items, levels and bosses: the value with one reroll, for both objectives."""
    made, rules, boss, fixed = case
    tried = Rerolls(state_before_roll(made, rules, boss, fixed), target)
    plan = plan_rerolls(made, 1, rules, target=target, boss=boss, fixed=fixed)

    assert tried.start_value(1) == plan.start_value(1)


@pytest.mark.parametrize(
    "dice",
    [
        "normal glass",
        "echo normal",
        "echo wild",
        "wild normal",
        "wild",
        "echo echo",
        "wild echo normal",
        "wild wild echo",
    ],
)
def test_9_2_every_choice_with_two_rerolls_agrees_with_brute_force(dice: str) -> None:
    """Each listed choice has the value of brute force, and the best of them is the value of the roll."""
    made = build(dice)
    tried = Rerolls(state_before_roll(made, DEFAULT), None)
    plan = plan_rerolls(made, 2)
    faces = (4, 2, 5)[: len(made.dice)]
    choices = plan.choices(faces, 2)

    assert [tried.value_of_keep(faces, choice.keep, 2, choice.set_first) for choice in choices] == [
        choice.value for choice in choices
    ]
    assert tried.value(faces, 2) == choices[0].value == plan.value(faces, 2)


def test_7_2_a_die_that_the_lockdown_holds_is_always_kept() -> None:
    """Every choice keeps the fixed die, also next to an echo that may copy it."""
    fixed = FixedDie(1, 6)
    plan = plan_rerolls(build("normal normal echo"), 1, boss=BossKind.LOCKDOWN, fixed=fixed)
    keeps = [choice.keep for choice in plan.choices((1, 6, 2), 1)]

    assert len(keeps) == len(set(keeps))
    assert all(1 in keep for keep in keeps)


@pytest.mark.parametrize("left", [1, 2])
@pytest.mark.parametrize(
    ("dice", "boss", "fixed"),
    [
        ("wild echo", None, None),
        ("wild echo echo", None, None),
        ("wild echo normal", None, None),
        ("wild wild echo", None, None),
        ("wild mirror echo", None, None),
        ("wild echo heavy", BossKind.INVERTER, None),
        ("wild echo glass+1", BossKind.SILENCER, None),
        ("wild wild echo", BossKind.LOCKDOWN, FixedDie(0, 2)),
        ("wild echo echo", BossKind.LOCKDOWN, FixedDie(1, 6)),
        ("wild echo normal", BossKind.LOCKDOWN, FixedDie(2, 5)),
    ],
)
@pytest.mark.parametrize("target", [None, 40])
def test_9_2_setting_wild_dice_is_part_of_the_plan(
    dice: str, boss: BossKind | None, fixed: FixedDie | None, left: int, target: int | None
) -> None:
    """Whole plans by brute force: before each reroll every wild die is set to any face, locked or rolled."""
    made = build(dice)
    tried = Rerolls(state_before_roll(made, DEFAULT, boss, fixed), target)
    plan = plan_rerolls(made, left, target=target, boss=boss, fixed=fixed)

    assert tried.start_value(left) == plan.start_value(left)


@pytest.mark.sweep
@given(rounds(4), st.integers(1, 2), st.sampled_from([None, 40, 96]))
@settings(max_examples=12, deadline=None)
def test_9_2_whole_plans_of_any_pool_agree_with_brute_force(
    case: tuple[Build, Rules, BossKind | None, FixedDie | None], left: int, target: int | None
) -> None:
    """Up to four dice of any kinds, with one or two rerolls, all bosses, and both selections."""
    made, rules, boss, fixed = case
    tried = Rerolls(state_before_roll(made, rules, boss, fixed), target)
    plan = plan_rerolls(made, left, rules, target=target, boss=boss, fixed=fixed)

    assert tried.start_value(left) == plan.start_value(left)


@pytest.mark.parametrize("wilds_set", [(), (0,), (0, 1)])
def test_1_6_a_set_wild_die_is_worth_as_much_as_one_that_is_not(wilds_set: tuple[int, ...]) -> None:
    """It may be set again, and to set one is never worse than to roll it: the plan needs not know which are set."""
    made, faces = build("wild wild echo"), (2, 5, 1)
    tried = Rerolls(state_before_roll(made, DEFAULT), None)

    assert tried.value(faces, 2, wilds_set) == plan_rerolls(made, 2).value(faces, 2)


def test_9_2_a_wild_die_is_set_for_echoes_to_copy() -> None:
    """Two echoes copy a wild die that is set to 6: three sixes, (30 + 18) · 2 = 96, are certain."""
    plan = plan_rerolls(build("wild echo echo"), 1, target=96)
    best = plan.best((2, 2, 2), 1)

    assert (Fraction(1), (0,), (SetWild(0, 6),)) == (best.value, best.keep, best.set_first)


def test_9_2_only_dice_that_show_another_face_are_set() -> None:
    """An echo copies a 2 for sure if both wild dice show what the normal die does; one of them does already."""
    plan = plan_rerolls(build("wild wild echo normal"), 1, target=210)
    choices = {choice.keep: choice.set_first for choice in plan.choices((2, 1, 6, 2), 1)}

    assert (SetWild(1, 2),) == choices[0, 1, 3]
    assert () == choices[0, 1, 2] == choices[0, 1, 2, 3]


def test_9_2_keeping_all_dice_is_scoring_now() -> None:
    """With two rerolls left its value is the score, not that of later rerolls."""
    plan = plan_rerolls(build(), 2)
    now = next(choice for choice in plan.choices((1, 2, 3, 4, 6), 2) if len(choice.keep) == 5)

    assert Fraction(100) == now.value


def test_9_2_without_rerolls_the_only_choice_is_to_score() -> None:
    plan = plan_rerolls(build(), 2, target=90)

    assert [(0, 1, 2, 3, 4)] == [choice.keep for choice in plan.choices((5, 5, 5, 2, 4), 0)]
    assert Fraction(1) == plan.value((5, 5, 5, 2, 4), 0)


def test_9_2_equal_dice_are_kept_from_the_left() -> None:
    """Of three fives the first two are kept where two are."""
    choices = plan_rerolls(build(), 1).choices((5, 5, 5, 2, 4), 1)

    assert (0, 1) in [choice.keep for choice in choices]
    assert (1, 2) not in [choice.keep for choice in choices]


def test_9_2_floats_are_within_their_error_of_the_exact_values() -> None:
    """Without `exact` the plan has an error, and every value is within it."""
    exact, fast = (plan_rerolls(build(), 3, target=98, exact=exact) for exact in (True, False))

    assert 0 == exact.error < fast.error < 1e-12
    assert abs(Fraction(exact.start_value(3)) - Fraction(fast.start_value(3))) <= fast.error


def test_9_5_ten_dice_of_three_sorts_are_solved_exactly() -> None:
    """The largest pool of three sorts is within the limits: the value is a fraction."""
    chance = plan_rerolls(build(MIXED), 0, target=300).start_value(0)

    assert isinstance(chance, Fraction)
    assert 0 == 6**10 % chance.denominator


@pytest.mark.parametrize("face", FACES)
@pytest.mark.parametrize("place", [0, 4, 7])
def test_9_5_a_held_die_that_echoes_may_copy_is_one_sort_more_and_solved(place: int, face: int) -> None:
    """Ten dice of three kinds are within the limits under the lockdown, too, whichever die it holds."""
    ten = build("normal normal normal normal glass glass glass echo echo echo")
    pool = Pool(ten, DEFAULT, boss=BossKind.LOCKDOWN, fixed=FixedDie(place, face))
    pool.require_solvable()

    assert {0: 84**3 * 7, 4: 210 * 28 * 84 * 7, 7: 210 * 84 * 28}[place] == count_positions(pool.groups())


def test_1_6_rerolling_only_wild_dice_is_no_choice() -> None:
    """They are set to the best face in any case, so the only choice is to score."""
    choices = plan_rerolls(build("wild wild"), 2).choices((3, 4), 2)

    assert [((0, 1), Fraction(33))] == [(choice.keep, choice.value) for choice in choices]


def test_1_6_every_choice_keeps_wild_dice() -> None:
    """To roll one is never better than to set it, and none is listed twice."""
    plan = plan_rerolls(build("wild echo normal"), 1)
    kept = [choice.keep for choice in plan.choices((6, 1, 2), 1)]

    assert {(0, 1, 2), (0, 1), (0, 2), (0,)} == {*kept}
    assert 4 == len(kept)


def test_9_5_too_many_keeps_are_refused() -> None:
    """Ten dice of four sorts are counted but not solved; the refusal has the number of sets."""
    four = build("normal normal normal glass glass glass odd odd even even")
    with pytest.raises(WorkLimitError, match=r"5,531,904 sets can be kept: at most 4,200,000") as caught:
        plan_rerolls(four, 1)

    assert "too_many_positions" == caught.value.refusal.code


def test_7_2_the_die_that_the_lockdown_holds_shows_its_face() -> None:
    """Faces that the lockdown does not allow are refused."""
    plan = plan_rerolls(build("normal normal"), 1, boss=BossKind.LOCKDOWN, fixed=FixedDie(1, 3))
    with pytest.raises(InputError, match="the lockdown holds die 1 at 3: it cannot show 6") as caught:
        plan.choices((6, 6), 1)

    assert "bad_faces" == caught.value.refusal.code


@pytest.mark.parametrize("target", [-1, 10**16])
def test_9_2_a_target_is_bounded(target: int) -> None:
    """A target below 0 or beyond all scores is refused."""
    with pytest.raises(InputError) as caught:
        plan_rerolls(build(), 1, target=target)

    assert "bad_target" == caught.value.refusal.code


def test_9_2_a_plan_names_its_build() -> None:
    assert build() == plan_rerolls(build(), 0).build
