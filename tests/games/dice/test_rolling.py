"""How dice land: kinds, mirrors, echoes, wild dice, and the order of it all (§1, §4.7, §7.2, §7.3)."""

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
    after,
    at,
    build,
    chances,
    illegal,
    lucky,
    meeting,
    refusal,
    rolled,
    said,
    told,
)


def one_die(kind: str, items: str = "") -> list[Fraction]:
    """Return how likely a die of this kind rolls 1, 2, … 6."""
    found = chances(at(build(kind, items)))
    return [found.get((face,), Fraction(0)) for face in FACES]


@pytest.mark.parametrize("kind", ["normal", "glass", "odd+3", "even", "wild", "mirror", "echo"])
def test_1_2_most_dice_are_fair(kind: str) -> None:
    """Each face in one of six rolls."""
    assert [Fraction(1, 6)] * 6 == one_die(kind)


def test_1_2_weighted_light_and_heavy_dice() -> None:
    """0.5 0.5 0.8 1.2 1.5 1.8 of 6.3; only 1 to 3; only 3 to 6."""
    assert [Fraction(weight, 63) for weight in (5, 5, 8, 12, 15, 18)] == one_die("weighted")
    assert [Fraction(1, 3)] * 3 + [0] * 3 == one_die("light")
    assert [0, 0] + [Fraction(1, 4)] * 4 == one_die("heavy")


def test_4_7_loaded_dice_reweigh_normal_dice_only() -> None:
    """0.8 0.8 1 1.1 1.2 1.3 of 6.2; a glass die stays fair."""
    assert [Fraction(weight, 62) for weight in (8, 8, 10, 11, 12, 13)] == one_die("normal", "loaded_dice")
    assert [Fraction(1, 6)] * 6 == one_die("glass", "loaded_dice insurance")


def test_1_7_a_mirror_shows_the_other_side() -> None:
    """7 less the roll, and an even die that lies so counts as it lies."""
    assert (6, 5, 4, 3, 2, 1) == rolled((1, 2, 3, 4, 5, 6), build("mirror " * 6)).faces
    assert [6, 5, 4, 3, 2, 1] == [opposite_face(face) for face in FACES]


def test_1_8_an_echo_copies_a_die_that_is_no_echo() -> None:
    """Any other one, each as likely; two echoes each by itself."""
    state = at(build("normal echo normal echo"))
    fallen = chances(state)

    assert {(0, 0), (0, 2), (2, 0), (2, 2)} == {(outcome[1], outcome[3]) for outcome in fallen}
    assert {Fraction(1, 6 * 2 * 6 * 2)} == set(fallen.values())
    assert (3, 5, 5, 3) == lucky(state, (3, 2, 5, 0)).faces


def test_1_8_echoes_alone_keep_their_rolls() -> None:
    """There is nobody to copy."""
    assert (2, 6, 1) == rolled((2, 6, 1), build("echo echo echo")).faces
    assert (2,) == rolled((2,), build("echo")).faces


def test_1_8_an_echo_copies_dice_that_are_held() -> None:
    """A locked one as it lies, a set one as it was set."""
    owned = build("normal wild echo")
    first = after(rolled((6, 1, 0), owned), Lock(0), SetWild(1, 4), REROLL)

    assert {(0,): Fraction(1, 2), (1,): Fraction(1, 2)} == chances(first)
    assert (6, 4, 6) == lucky(first, (0,)).faces
    assert (6, 4, 4) == lucky(first, (1,)).faces


def test_1_8_a_locked_echo_copies_nothing() -> None:
    """It keeps what it has copied."""
    state = after(rolled((6, 1, 0), build("normal normal echo")), Lock(2), REROLL)

    assert (1, 1, 6) == lucky(state, (1, 1)).faces


def test_1_8_an_echo_may_not_copy_itself_or_another_echo() -> None:
    """Nor a die that is not there."""
    state = at(build("normal echo echo"))

    assert {"impossible_luck"} == {
        refusal(lambda luck=luck: GAME.step(state, Luck(luck)), IllegalMove).code  # type: ignore[misc]  # the loop's own
        for luck in ((1, 1, 0), (1, 0, 2), (1, 0, 3), (1, 6, 0))
    }


def test_1_6_a_wild_die_shows_its_roll_until_it_is_set() -> None:
    """It is rerolled like any other, and held from then on."""
    state = rolled((3, 1), build("wild normal"))
    again = lucky(after(state, REROLL), (5, 1))
    held = after(again, SetWild(0, 6), REROLL)

    assert (5, 1) == again.faces
    assert (1,) == rolling_places(held)
    assert (6, 2) == lucky(held, (2,)).faces


def test_1_6_a_wild_die_may_be_set_again() -> None:
    """To another face, at any time; to the same one there is nothing to do."""
    state = after(rolled((3, 1), build("wild normal")), SetWild(0, 6), SetWild(0, 2))

    assert ((2, 1), (0,), 2) == (state.faces, state.wilds_set, state.adjustments)
    assert ("set_already", "die 0 is set to 2 already") == said(illegal(state, SetWild(0, 2)))


def test_1_6_a_wild_die_is_set_to_the_face_it_shows() -> None:
    """That holds it there."""
    state = after(rolled((3, 1), build("wild normal")), SetWild(0, 3))

    assert ((3, 1), (0,)) == (state.faces, state.wilds_set)


def test_1_6_setting_unlocks() -> None:
    """And what is set is not locked again, nor unlocked."""
    state = after(rolled((3, 1), build("wild normal")), Lock(0), SetWild(0, 6))

    assert ((), (0,)) == (state.locked, state.wilds_set)
    assert ("set_already", "die 0 is a wild die that was set: it is held as it is") == said(
        illegal(state, Lock(0))
    )
    assert ("not_locked", "die 0 is not locked") == said(illegal(state, Unlock(0)))


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
    """All else is refused, and nothing changes."""
    assert (code, sentence) == said(illegal(rolled((3, 1), build("wild glass+1")), SetWild(place, face)))


def test_1_6_a_wild_die_has_six_faces_to_set() -> None:
    """All six at first, then the five others."""
    state = rolled((3, 1), build("wild normal"))
    first = [action.face for action in GAME.actions(state, 0) if isinstance(action, SetWild)]
    then = [
        action.face for action in GAME.actions(after(state, SetWild(0, 3)), 0) if isinstance(action, SetWild)
    ]

    assert [1, 2, 3, 4, 5, 6] == first
    assert [1, 2, 4, 5, 6] == then


# §1.9, §7.3: mirrors flip, the inverter flips, echoes copy


def test_1_9_the_order_of_mirror_inverter_and_echo() -> None:
    """A normal die is flipped once, a mirror twice, an echo shows what the others show then."""
    owned = build("normal mirror echo echo wild")
    plain = rolled((2, 2, 0, 1, 1), owned)
    inverted = lucky(meeting(BossKind.INVERTER, owned), (2, 2, 0, 1, 1))

    assert (2, 5, 2, 5, 1) == plain.faces
    assert (5, 2, 5, 2, 6) == inverted.faces


def test_7_3_held_dice_are_not_flipped_again() -> None:
    """Locked ones stay, set ones too, and an echo copies them as they lie."""
    state = lucky(meeting(BossKind.INVERTER, build("normal normal wild echo")), (1, 2, 3, 0))
    again = lucky(after(state, Lock(0), SetWild(2, 3), REROLL), (4, 2))

    assert (6, 5, 4, 6) == state.faces
    assert (6, 3, 3, 3) == again.faces


def test_7_3_a_pool_of_echoes_is_inverted() -> None:
    """Where they keep their rolls, the rolls are flipped."""
    assert (5, 1) == lucky(meeting(BossKind.INVERTER, build("echo echo")), (2, 6)).faces


def test_7_3_a_wild_die_is_flipped_until_it_is_set() -> None:
    """It shows the flipped roll."""
    state = lucky(meeting(BossKind.INVERTER, build("wild")), (1,))

    assert (6,) == state.faces
    assert (1,) == after(state, SetWild(0, 1)).faces


# §5.2: what luck decides


def test_5_2_a_roll_tells_which_dice_rolled_and_what_all_show() -> None:
    """All at first, then those that were not held."""
    first = GAME.step(at(), Luck((5, 5, 5, 2, 4)))
    then = GAME.step(after(first.state, Lock(0), Lock(2), REROLL), Luck((1, 2, 3)))

    assert ((0, 1, 2, 3, 4), (5, 5, 5, 2, 4), 3) == shown(told(first, Rolled))
    assert ((1, 3, 4), (5, 1, 5, 2, 3), 2) == shown(told(then, Rolled))


def shown(event: Rolled) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    return event.places, event.faces, event.rerolls


@pytest.mark.parametrize("outcome", [(), (1, 2, 3, 4), (1, 2, 3, 4, 7), (0, 1, 2, 3, 4), "miser", (1,) * 6])
def test_5_2_only_what_dice_can_show_happens(outcome: tuple[int, ...] | str) -> None:
    """Another number of dice, or a face that none has, is refused."""
    refused = refusal(lambda: GAME.step(at(), Luck(outcome)), IllegalMove)

    assert ("impossible_luck", "luck decides one of the outcomes that are possible now") == said(refused)


def test_5_2_light_dice_roll_no_six() -> None:
    """Weight 0 cannot happen."""
    assert "impossible_luck" == refusal(lambda: lucky(at(build("light")), (6,)), IllegalMove).code


def test_1_8_echoes_follow_the_odds_of_what_they_copy() -> None:
    """In all cases of light and echo, the echo is as likely to show 1 to 3 as the light die."""
    state: State = at(build("light heavy echo"))
    turn = GAME.turn(state)
    assert isinstance(turn, Await)
    copied: Counter[int] = Counter()
    for outcome, weight in turn.chance.outcomes():
        copied[lucky(state, outcome).faces[2]] += weight

    assert {1: 4, 2: 4, 3: 7, 4: 3, 5: 3, 6: 3} == copied
    assert 24 == turn.chance.total


def test_8_2_seeded_luck_is_the_same_each_time() -> None:
    """A roll of ten dice by the seed yuma, twice."""
    turn = GAME.turn(at(build("normal " * 10), Rules(bosses=DEFAULT.bosses)))
    assert isinstance(turn, Await)

    assert turn.chance.sample(Seeded("yuma")) == turn.chance.sample(Seeded("yuma"))
