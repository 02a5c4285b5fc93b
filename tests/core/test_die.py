"""Dice: faces with exact weights; invalid dice are refused."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.die import D6, LARGEST_WEIGHT, MOST_FACES, Die
from oddsmith.errors import InputError


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=30))
def test_a_die_of_listed_faces_counts_repeats(listed: list[int]) -> None:
    """Faces are sorted and unique; weights and total count the list."""
    die = Die.of(listed)

    assert tuple(sorted(set(listed))) == die.faces
    assert Counter(listed) == {face: die.weight(face) for face in die.faces}
    assert (len(listed), 0) == (die.total, die.weight(99))


def test_a_fair_die_has_faces_from_one_to_its_sides() -> None:
    """By default six faces of weight 1."""
    assert Die((1, 2, 3, 4, 5, 6), (1,) * 6) == D6 == Die.fair(6) == Die.of(iter(range(1, 7)))
    assert MOST_FACES == Die.fair(MOST_FACES).total


def test_a_face_may_have_weight_0() -> None:
    """It never occurs; the greatest weight is still exact."""
    die = Die((1, 2), (0, LARGEST_WEIGHT))

    assert (0, LARGEST_WEIGHT, LARGEST_WEIGHT) == (die.weight(1), die.weight(2), die.total)


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda: Die.fair(0), "die_faces"),
        (lambda: Die.fair(-3), "die_faces"),
        (lambda: Die.fair(10**12), "die_faces"),
        (lambda: Die.of([]), "die_faces"),
        (lambda: Die.of(range(MOST_FACES + 1)), "die_faces"),
        (lambda: Die((1, 1), (1, 1)), "die_faces"),
        (lambda: Die((1, 2), (1,)), "die_weights"),
        (lambda: Die((1, 2), (0, 0)), "die_weights"),
        (lambda: Die((1, 2), (1, -1)), "die_weights"),
        (lambda: Die((1, 2), (1, LARGEST_WEIGHT + 1)), "die_weights"),
    ],
)
def test_an_invalid_die_is_refused(make: Callable[[], Die], code: str) -> None:
    """A die has 1 to 100 different faces, one weight each, and not all of them 0."""
    with pytest.raises(InputError) as caught:
        make()

    assert code == caught.value.refusal.code


def test_a_die_is_read_back_from_json_and_validated() -> None:
    die = Die((1, 2, 3), (5, 5, 8))

    assert die == msgspec.json.decode(msgspec.json.encode(die), type=Die)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"faces":[1],"weights":[-1]}', type=Die)
