"""A die is its faces with exact weights, and nothing that is no die passes for one."""

from collections import Counter
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.die import D6, LARGEST_WEIGHT, MOST_FACES, Die
from oddsmith.errors import InputError


@given(st.lists(st.integers(-20, 20), min_size=1, max_size=30))
def test_a_die_of_listed_faces_weighs_each_as_often_as_it_is_listed(listed: list[int]) -> None:
    """Faces come sorted, each once; weights and total count the list."""
    die = Die.of(listed)

    assert tuple(sorted(set(listed))) == die.faces
    assert Counter(listed) == {face: die.weight(face) for face in die.faces}
    assert (len(listed), 0) == (die.total, die.weight(99))


def test_a_fair_die_shows_one_to_its_sides() -> None:
    """The usual die has six faces of one case each."""
    assert Die((1, 2, 3, 4, 5, 6), (1,) * 6) == D6 == Die.fair(6) == Die.of(iter(range(1, 7)))
    assert MOST_FACES == Die.fair(MOST_FACES).total


def test_a_face_may_weigh_nothing() -> None:
    """A weight of 0 is a face that never shows; the heaviest weight is still exact."""
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
def test_what_is_no_die_is_refused(make: Callable[[], Die], code: str) -> None:
    """A die has 1 to 100 different faces, one weight each, and not all of them 0."""
    with pytest.raises(InputError) as caught:
        make()

    assert code == caught.value.refusal.code


def test_a_die_survives_json_and_is_checked_there_too() -> None:
    """A die is read back as it was written, and a bad one is refused."""
    die = Die((1, 2, 3), (5, 5, 8))

    assert die == msgspec.json.decode(msgspec.json.encode(die), type=Die)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"faces":[1],"weights":[-1]}', type=Die)
