"""Multisets are numbered in one order, and all lookups agree with it."""

import pickle
from itertools import combinations_with_replacement, product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from oddsmith.errors import InputError
from oddsmith.odds.multisets import Multisets

few = st.builds(Multisets, st.integers(0, 5), st.integers(1, 4))


def all_multisets(table: Multisets) -> list[tuple[int, ...]]:
    return [
        faces
        for size in range(table.size + 1)
        for faces in combinations_with_replacement(range(table.faces), size)
    ]


@given(few)
def test_the_order_is_by_size_then_by_sorted_faces(table: Multisets) -> None:
    """As by `combinations_with_replacement` for each size."""
    expected = all_multisets(table)

    assert expected == [table.multiset(place) for place in range(len(table))]
    assert expected[table.full] == list(combinations_with_replacement(range(table.faces), table.size))
    assert [table.index(faces[::-1]) for faces in expected] == list(range(len(table)))


@given(few)
def test_counts_have_the_number_of_each_face(table: Multisets) -> None:
    """For all multisets and for the full ones; a row of counts finds its index."""
    expected = [[faces.count(face) for face in range(table.faces)] for faces in all_multisets(table)]

    assert expected == table.counts.tolist()
    assert expected[table.full] == table.full_counts.tolist()
    assert list(range(len(table))) == table.find(table.counts).tolist()


@given(few)
def test_plus_and_minus_lead_to_one_die_more_or_less(table: Multisets) -> None:
    """Plus adds a die to a multiset that is not full; minus removes one that is there."""
    order = all_multisets(table)
    place = {faces: number for number, faces in enumerate(order)}
    more = [
        [place[tuple(sorted((*faces, face)))] for face in range(table.faces)]
        for faces in order[: table.full.start]
    ]
    less = [
        [place[_remove_face(faces, face)] if face in faces else -1 for face in range(table.faces)]
        for faces in order
    ]

    assert more == table.index_with_face.tolist()
    assert less == table.index_without_face.tolist()


@given(few)
def test_above_and_below_are_plus_and_minus_within_a_size(table: Multisets) -> None:
    """Above has a row for each face; below lists all that are one die below."""
    for size in range(table.size):
        here, there = table.of_size(size), table.of_size(size + 1)

        assert (table.index_with_face[here].T - there.start).tolist() == table.supersets[size].tolist()
        assert [set(row) - {-1} for row in table.index_without_face[there].tolist()] == [
            set(column) for column in (table.subsets[size].T + here.start).tolist()
        ]


@given(st.lists(st.integers(0, 5), min_size=1, max_size=3), st.integers(0, 4))
def test_ways_count_rolls(weights: list[int], size: int) -> None:
    """The ways of a multiset are the sum of the weights of all rolls that show it."""
    table = Multisets(size, len(weights))
    counted = dict.fromkeys(all_multisets(table)[table.full], 0)
    for roll in product(range(len(weights)), repeat=size):
        counted[tuple(sorted(roll))] += prod(weights[face] for face in roll)
    ways = table.ways(weights)

    assert list(counted.values()) == ways.tolist()
    assert np.int64 == ways.dtype


@pytest.mark.parametrize(
    ("size", "weights", "kind"),
    [
        (2, (2**31, 0), "i"),
        (2, (2**31, 1), "i"),
        (2, (2**31, 2**31), "O"),
        (63, (1, 1), "O"),
        (62, (1, 1), "i"),
        (62, (2, 0), "i"),
    ],
)
def test_ways_are_exact_up_to_a_machine_word_and_beyond(
    size: int, weights: tuple[int, ...], kind: str
) -> None:
    """Where all ways fit into a machine word they are words, otherwise Python's integers; they add up to all."""
    ways = Multisets(size, 2).ways(weights)

    assert kind == ways.dtype.kind
    assert sum(weights) ** size == sum(ways.tolist())


def test_ten_dice_have_3003_full_multisets_of_8008() -> None:
    """C(15, 5) and C(16, 6)."""
    ten = Multisets(10, 6)

    assert (3003, 8008) == (len(ten.full_counts), len(ten))
    assert 6**10 == ten.ways((1,) * 6).sum()
    assert "Multisets(10, 6)" == repr(ten)


def test_instances_are_shared() -> None:
    """Constructed again, or unpickled, it is the same object, and is immutable."""
    table = Multisets(3, 2)

    assert table is Multisets(3, 2)
    assert table is pickle.loads(pickle.dumps(table))  # noqa: S301  our own bytes
    for array in (
        table.counts,
        table.full_counts,
        table.index_with_face,
        table.index_without_face,
        *table.supersets,
        *table.subsets,
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 7


@pytest.mark.parametrize(
    ("code", "faces"), [("bad_face", (0, 6)), ("bad_face", (-1,)), ("too_many_dice", (0, 1, 2))]
)
def test_invalid_multisets_are_refused(code: str, faces: tuple[int, ...]) -> None:
    """An unknown face, and more dice than there are."""
    with pytest.raises(InputError) as refused:
        Multisets(2, 6).index(faces)

    assert code == refused.value.refusal.code


@pytest.mark.parametrize(("size", "faces"), [(-1, 6), (2, 0)])
def test_dice_without_faces_are_refused(size: int, faces: int) -> None:
    """So is a negative number of dice."""
    with pytest.raises(InputError, match="0 or more dice and 1 or more faces") as refused:
        Multisets(size, faces)

    assert "bad_multisets" == refused.value.refusal.code


def _remove_face(faces: tuple[int, ...], face: int) -> tuple[int, ...]:
    place = faces.index(face)
    return faces[:place] + faces[place + 1 :]
