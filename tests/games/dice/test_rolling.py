"""How dice roll: kinds, mirrors, echoes, wild dice, and the order of their effects (§1, §4.7, §7.2, §7.3)."""

from collections import Counter
from fractions import Fraction

import pytest

from oddsmith.chance import Seeded
from oddsmith.errors import IllegalMove
from oddsmith.game import Await, Luck
from oddsmith.games.dice import DEFAULT, GAME, BossKind, Lock, Rules, SetWild, State, Unlock
from oddsmith.games.dice.model import Rolled
from oddsmith.games.dice.parts import FACES, opposite_face
from oddsmith.games.dice.rolling import rolling_places
from tests.games.dice.builders import (
    REROLL,
    apply_luck,
    boss_round,
    build,
    chances,
    code_and_sentence,
    first_roll,
    objection_to,
    only_event,
    refusal,
    round_start,
    state_after,
)


def face_chances(kind: str, items: str = "") -> list[Fraction]:
    """Return the probabilities with which a die of this kind rolls 1, 2, … 6."""
    found = chances(round_start(build(kind, items)))
    return [found.get((face,), Fraction(0)) for face in FACES]


@pytest.mark.parametrize("kind", ["normal", "glass", "odd+3", "even", "wild", "mirror", "echo"])
def test_1_2_most_dice_are_fair(kind: str) -> None:
    assert [Fraction(1, 6)] * 6 == face_chances(kind)


def test_1_2_weighted_light_and_heavy_dice() -> None:
    """0.5 0.5 0.8 1.2 1.5 1.8 of 6.3; only 1 to 3; only 3 to 6."""
    assert [Fraction(weight, 63) for weight in (5, 5, 8, 12, 15, 18)] == face_chances("weighted")
    assert [Fraction(1, 3)] * 3 + [0] * 3 == face_chances("light")
    assert [0, 0] + [Fraction(1, 4)] * 4 == face_chances("heavy")


def test_4_7_loaded_dice_reweigh_normal_dice_only() -> None:
    """0.8 0.8 1 1.1 1.2 1.3 of 6.2; a glass die stays fair."""
    assert [Fraction(weight, 62) for weight in (8, 8, 10, 11, 12, 13)] == face_chances(
        "normal", "loaded_dice"
    )
    assert [Fraction(1, 6)] * 6 == face_chances("glass", "loaded_dice insurance")


def test_1_7_a_mirror_shows_the_other_side() -> None:
    """It shows 7 less the roll; an even die uses the shown face."""
    assert (6, 5, 4, 3, 2, 1) == first_roll((1, 2, 3, 4, 5, 6), build("mirror " * 6)).faces
    assert [6, 5, 4, 3, 2, 1] == [opposite_face(face) for face in FACES]


def test_1_8_an_echo_copies_a_die_that_is_no_echo() -> None:
    """Any other die with equal probability; two echoes copy independently."""
    state = round_start(build("normal echo normal echo"))
    fallen = chances(state)

    assert {(0, 0), (0, 2), (2, 0), (2, 2)} == {(outcome[1], outcome[3]) for outcome in fallen}
    assert {Fraction(1, 6 * 2 * 6 * 2)} == set(fallen.values())
    assert (3, 5, 5, 3) == apply_luck(state, (3, 2, 5, 0)).faces


def test_1_8_echoes_alone_keep_their_rolls() -> None:
    """They have no die to copy."""
    assert (2, 6, 1) == first_roll((2, 6, 1), build("echo echo echo")).faces
    assert (2,) == first_roll((2,), build("echo")).faces


def test_1_8_an_echo_copies_dice_that_are_held() -> None:
    """A locked die or a set one, at its face."""
    owned = build("normal wild echo")
    first = state_after(first_roll((6, 1, 0), owned), Lock(0), SetWild(1, 4), REROLL)

    assert {(0,): Fraction(1, 2), (1,): Fraction(1, 2)} == chances(first)
    assert (6, 4, 6) == apply_luck(first, (0,)).faces
    assert (6, 4, 4) == apply_luck(first, (1,)).faces


def test_1_8_a_locked_echo_copies_nothing() -> None:
    """It keeps its copied face."""
    state = state_after(first_roll((6, 1, 0), build("normal normal echo")), Lock(2), REROLL)

    assert (1, 1, 6) == apply_luck(state, (1, 1)).faces


def test_1_8_an_echo_may_not_copy_itself_or_another_echo() -> None:
    """A place outside the pool is refused, too."""
    state = round_start(build("normal echo echo"))

    assert {"impossible_luck"} == {
        refusal(lambda luck=luck: GAME.step(state, Luck(luck)), IllegalMove).code  # type: ignore[misc]  # the lambda is called at once
        for luck in ((1, 1, 0), (1, 0, 2), (1, 0, 3), (1, 6, 0))
    }


def test_1_6_a_wild_die_shows_its_roll_until_it_is_set() -> None:
    """It is rerolled like any other; once set it is held."""
    state = first_roll((3, 1), build("wild normal"))
    again = apply_luck(state_after(state, REROLL), (5, 1))
    held = state_after(again, SetWild(0, 6), REROLL)

    assert (5, 1) == again.faces
    assert (1,) == rolling_places(held)
    assert (6, 2) == apply_luck(held, (2,)).faces


def test_1_6_a_wild_die_may_be_set_again() -> None:
    """To another face, at any time; the same face is refused."""
    state = state_after(first_roll((3, 1), build("wild normal")), SetWild(0, 6), SetWild(0, 2))

    assert ((2, 1), (0,), 2) == (state.faces, state.wilds_set, state.adjustments)
    assert ("set_already", "die 0 is set to 2 already") == code_and_sentence(
        objection_to(state, SetWild(0, 2))
    )


def test_1_6_a_wild_die_may_be_set_to_the_face_it_shows() -> None:
    """It is held then."""
    state = state_after(first_roll((3, 1), build("wild normal")), SetWild(0, 3))

    assert ((3, 1), (0,)) == (state.faces, state.wilds_set)


def test_1_6_setting_a_wild_die_unlocks_it() -> None:
    """A set die cannot be locked or unlocked."""
    state = state_after(first_roll((3, 1), build("wild normal")), Lock(0), SetWild(0, 6))

    assert ((), (0,)) == (state.locked, state.wilds_set)
    assert ("set_already", "die 0 is a wild die that was set: it is held as it is") == code_and_sentence(
        objection_to(state, Lock(0))
    )
    assert ("not_locked", "die 0 is not locked") == code_and_sentence(objection_to(state, Unlock(0)))


@pytest.mark.parametrize(
    ("place", "face", "code", "sentence"),
    [
        (1, 6, "not_wild", "die 1 is glass+1: only wild dice are set"),
        (2, 6, "no_such_die", "there is no die 2: the pool has dice 0 to 1"),
        (-1, 6, "no_such_die", "there is no die -1: the pool has dice 0 to 1"),
        (0, 0, "bad_face", "a die shows 1 to 6, not 0"),
        (0, 7, "bad_face", "a die shows 1 to 6, not 7"),
    ],
)
def test_1_6_only_wild_dice_are_set_and_only_to_a_face(
    place: int, face: int, code: str, sentence: str
) -> None:
    """Other dice and faces are refused, and the state does not change."""
    assert (code, sentence) == code_and_sentence(
        objection_to(first_roll((3, 1), build("wild glass+1")), SetWild(place, face))
    )


def test_1_6_a_wild_die_has_six_faces_to_set() -> None:
    """All six at first, then the five others."""
    state = first_roll((3, 1), build("wild normal"))
    first = [action.face for action in GAME.actions(state, 0) if isinstance(action, SetWild)]
    then = [
        action.face
        for action in GAME.actions(state_after(state, SetWild(0, 3)), 0)
        if isinstance(action, SetWild)
    ]

    assert [1, 2, 3, 4, 5, 6] == first
    assert [1, 2, 4, 5, 6] == then


# §1.9, §7.3: mirrors flip, the inverter flips, echoes copy


def test_1_9_the_order_of_mirror_inverter_and_echo() -> None:
    """A normal die is flipped once, a mirror twice; an echo copies the faces after the flips."""
    owned = build("normal mirror echo echo wild")
    plain = first_roll((2, 2, 0, 1, 1), owned)
    inverted = apply_luck(boss_round(BossKind.INVERTER, owned), (2, 2, 0, 1, 1))

    assert (2, 5, 2, 5, 1) == plain.faces
    assert (5, 2, 5, 2, 6) == inverted.faces


def test_7_3_held_dice_are_not_flipped_again() -> None:
    """Locked and set dice stay, and an echo copies them at their faces."""
    state = apply_luck(boss_round(BossKind.INVERTER, build("normal normal wild echo")), (1, 2, 3, 0))
    again = apply_luck(state_after(state, Lock(0), SetWild(2, 3), REROLL), (4, 2))

    assert (6, 5, 4, 6) == state.faces
    assert (6, 3, 3, 3) == again.faces


def test_7_3_a_pool_of_echoes_is_inverted() -> None:
    """Their own rolls are flipped."""
    assert (5, 1) == apply_luck(boss_round(BossKind.INVERTER, build("echo echo")), (2, 6)).faces


def test_7_3_a_wild_die_is_flipped_until_it_is_set() -> None:
    """It shows the flipped roll."""
    state = apply_luck(boss_round(BossKind.INVERTER, build("wild")), (1,))

    assert (6,) == state.faces
    assert (1,) == state_after(state, SetWild(0, 1)).faces


# §5.2: luck


def test_5_2_a_roll_has_its_places_and_all_faces() -> None:
    """All dice at first, then those that were not held."""
    first = GAME.step(round_start(), Luck((5, 5, 5, 2, 4)))
    then = GAME.step(state_after(first.state, Lock(0), Lock(2), REROLL), Luck((1, 2, 3)))

    assert ((0, 1, 2, 3, 4), (5, 5, 5, 2, 4), 3) == roll_fields(only_event(first, Rolled))
    assert ((1, 3, 4), (5, 1, 5, 2, 3), 2) == roll_fields(only_event(then, Rolled))


def roll_fields(event: Rolled) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    return event.places, event.faces, event.rerolls


@pytest.mark.parametrize("outcome", [(), (1, 2, 3, 4), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), "miser", (1,) * 6])
def test_5_2_impossible_luck_is_refused(outcome: tuple[int, ...] | str) -> None:
    """Another number of dice, or a face that no die has."""
    refused = refusal(lambda: GAME.step(round_start(), Luck(outcome)), IllegalMove)

    assert ("impossible_luck", "luck decides one of the outcomes that are possible now") == code_and_sentence(
        refused
    )


def test_5_2_light_dice_roll_no_six() -> None:
    """A face of weight 0 is impossible."""
    assert (
        "impossible_luck" == refusal(lambda: apply_luck(round_start(build("light")), (6,)), IllegalMove).code
    )


def test_1_8_echoes_follow_the_odds_of_what_they_copy() -> None:
    """Over all cases of light and echo, the echo shows 1 to 3 as often as the light die."""
    state: State = round_start(build("light heavy echo"))
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    copied: Counter[int] = Counter()
    for outcome, weight in turn.chance.outcomes():
        copied[apply_luck(state, outcome).faces[2]] += weight

    assert {1: 4, 2: 4, 3: 7, 4: 3, 5: 3, 6: 3} == copied
    assert 24 == turn.chance.total


def test_8_2_seeded_luck_is_the_same_each_time() -> None:
    """A roll of ten dice by the seed yuma, twice."""
    turn = GAME.turn(round_start(build("normal " * 10), Rules(bosses=DEFAULT.bosses)))
    assert isinstance(turn, Await)

    assert turn.chance.sample(Seeded("yuma")) == turn.chance.sample(Seeded("yuma"))
