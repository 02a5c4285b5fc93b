"""Estimates for pools: simulated rounds with their errors."""

from math import sqrt

import pytest

from oddsmith.errors import InputError
from oddsmith.games.dice.model import FixedDie
from oddsmith.games.dice.odds import plan_rerolls, roll_odds
from oddsmith.games.dice.rules import BossKind
from oddsmith.games.dice.simulation.pools import estimate_choices, estimate_rerolls
from tests.games.dice.builders import build

FIVE = build("normal normal normal normal normal")
LARGE = build("normal normal normal glass glass odd+2 odd+2")
MOTLEY = build("normal weighted light heavy glass glass+1 odd odd+1 even wild")


def test_9_2_simulated_rounds_of_seven_dice_agree_with_the_solution() -> None:
    """Seven dice of three sorts, three rerolls: 400 rounds are within 4.5 standard errors of the exact chance."""
    chance = float(plan_rerolls(LARGE, 3, target=400).start_value(3))
    seen = estimate_rerolls(LARGE, 3, target=400, rounds=400).at_least(400)

    assert abs(seen.mean - chance) < 4.5 * sqrt(chance * (1 - chance) / 400)


def test_9_1_simulated_rolls_agree_with_the_exact_mean() -> None:
    """Without rerolls the mean of 2,000 rolls is within 2.3 of its 95 % errors."""
    seen = estimate_rerolls(LARGE, 0, rounds=2_000)

    assert abs(seen.score.mean - float(roll_odds(LARGE).scores.mean)) < 2.3 * seen.score.error
    assert 2_000 == seen.rounds


def test_9_5_ten_dice_of_ten_sorts_are_estimated_with_an_error() -> None:
    """A pool beyond all limits is played by the plan of a simpler one, with wild dice set and a boss."""
    fixed = FixedDie(2, 3)
    reported: list[float] = []
    seen = estimate_rerolls(
        MOTLEY, 1, target=200, boss=BossKind.LOCKDOWN, fixed=fixed, rounds=20, progress=reported.append
    )

    assert 20 == seen.rounds
    assert 0 < seen.at_least(200).error < 0.3
    assert 20 == sum(seen.hand(hand).happened for hand in {hand for hand, _ in seen.counts})
    assert 1.0 == reported[-1]


def test_9_5_the_same_seed_gives_the_same_estimate() -> None:
    assert estimate_rerolls(LARGE, 0, rounds=50, seed=7) == estimate_rerolls(LARGE, 0, rounds=50, seed=7)


@pytest.mark.parametrize("rounds", [0, 1_000_001])
def test_9_5_the_number_of_rounds_is_bounded(rounds: int) -> None:
    """Zero and too many rounds are refused."""
    with pytest.raises(InputError) as caught:
        estimate_rerolls(LARGE, 0, rounds=rounds)

    assert "bad_rounds" == caught.value.refusal.code


@pytest.mark.parametrize(
    ("fixed", "code"),
    [(None, "no_fixed_die"), (FixedDie(5, 1), "bad_fixed_die"), (FixedDie(0, 7), "bad_fixed_die")],
)
def test_7_2_a_round_with_the_lockdown_needs_its_die(fixed: FixedDie | None, code: str) -> None:
    """The die and its face must be given, for a single roll, too."""
    with pytest.raises(InputError) as caught:
        estimate_rerolls(FIVE, 0, boss=BossKind.LOCKDOWN, fixed=fixed, rounds=2)

    assert code == caught.value.refusal.code


def test_9_5_estimated_choices_agree_with_the_solution() -> None:
    """Each of the best three choices is within 2.3 of its 95 % errors of its exact chance, best first."""
    faces = (5, 5, 2, 3, 6)
    exact = {
        choice.keep: float(choice.value) for choice in plan_rerolls(FIVE, 2, target=98).choices(faces, 2)
    }
    reported: list[float] = []
    found = estimate_choices(FIVE, faces, 2, target=98, rounds=150, most=3, progress=reported.append)

    assert all(abs(choice.value - exact[choice.keep]) <= 2.3 * choice.error for choice in found)
    assert [(0, 1, 3), (0, 3), (3,)] == [keep for keep in exact if keep in {one.keep for one in found}][:3]
    assert sorted(found, key=lambda choice: -choice.value) == found
    assert [1 / 3, 2 / 3, 1.0] == reported


def test_9_5_scoring_now_is_always_listed_and_exact() -> None:
    """Without a reroll it is the only choice; the wild die counts at its best face."""
    now = estimate_choices(build("normal normal wild"), (6, 6, 1), 0, rounds=2)

    assert [((0, 1, 2), 96.0, 0.0)] == [(choice.keep, choice.value, choice.error) for choice in now]


def test_9_5_without_a_target_choices_have_their_mean_score() -> None:
    """One die at 1 with one reroll: rolling it has a mean of 8.5, scoring it 6."""
    rolled, now = estimate_choices(build("normal"), (1,), 1, rounds=60)

    assert ((), (0,), 6.0, 0.0) == (rolled.keep, now.keep, now.value, now.error)
    assert abs(8.5 - rolled.value) < 2.3 * rolled.error


def test_9_5_choices_of_ten_sorts_are_estimated_with_a_boss() -> None:
    """A pool beyond all limits: every choice keeps the die that the lockdown holds."""
    faces, fixed = (1, 1, 2, 2, 3, 4, 5, 6, 6, 1), FixedDie(2, 2)
    found = estimate_choices(
        MOTLEY, faces, 1, target=400, boss=BossKind.LOCKDOWN, fixed=fixed, rounds=4, most=2
    )

    assert 2 <= len(found) <= 3
    assert all(2 in choice.keep for choice in found)


@pytest.mark.parametrize(
    ("faces", "rounds", "code"), [((1, 2), 5, "bad_faces"), ((1, 2, 3, 4, 5), 0, "bad_rounds")]
)
def test_9_5_invalid_requests_for_choices_are_refused(faces: tuple[int, ...], rounds: int, code: str) -> None:
    """A face for each die, and at least one round."""
    with pytest.raises(InputError) as caught:
        estimate_choices(FIVE, faces, 1, rounds=rounds)

    assert code == caught.value.refusal.code
