"""Lookup of the dice that match a hand, for every multiset of faces.

The matches of the default hands are package data, derived from the rule by `derive_matches`; a test compares them.
Those of other hands are computed when they are needed.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.games.dice.parts import FACES, HANDS, MOST_DICE, Condition, Hand
from oddsmith.games.dice.scoring import matched_faces
from oddsmith.odds.multisets import Multisets

MultisetIndices = NDArray[np.int16]

DATA_FILE: Final = "matches.i2"
"""Little-endian 16-bit integers: a row for each multiset, in the order of their places."""
NO_MATCH: Final = -1
_STORED_COLUMNS: Final = {
    (hand.condition, hand.pattern): column for column, hand in enumerate(HANDS.values())
}


def find_matches(hands: Sequence[Hand], size: int) -> MultisetIndices:
    """Return, for each hand and each multiset of `size` faces, the place of its matched faces, or `NO_MATCH`.

    Places are those of `oddsmith.odds.multisets.Multisets`, whose face 0 is a one.

    >>> places = find_matches([HANDS["pair"]], 2)
    >>> int((places != NO_MATCH).sum()), places.shape
    (6, (1, 21))
    """
    columns = [_STORED_COLUMNS.get((hand.condition, hand.pattern)) for hand in hands]
    places = stored_matches(size)[Multisets(size, len(FACES)).full, [column or 0 for column in columns]].T
    for number, (column, hand) in enumerate(zip(columns, hands, strict=True)):
        if column is None:
            places[number] = _compute_matches(hand.condition, hand.pattern, size)
    return places


def face_sums(places: MultisetIndices, size: int) -> MultisetIndices:
    """Return the sums of the faces of the multisets at these places, which have at most `size` faces.

    >>> face_sums(np.array([0, 6]), 1).tolist()
    [0, 6]
    """
    sums: MultisetIndices = stored_matches(size)[places, -1]
    return sums


@cache
def stored_matches(size: int) -> MultisetIndices:
    """Return the rows of all multisets of at most `size` faces, read from package data and cached.

    A row has the place of the matched faces for each default hand, and last the sum of the faces.
    """
    columns = len(HANDS) + 1
    with resources.files(__package__).joinpath(DATA_FILE).open("rb") as data:
        rows = data.read(2 * columns * len(Multisets(size, len(FACES))))
    return np.frombuffer(rows, dtype="<i2").reshape(-1, columns)


@lru_cache(maxsize=1000)
def _compute_matches(condition: Condition, pattern: tuple[int, ...], size: int) -> MultisetIndices:
    """Return the matches of each multiset of `size` faces, by the rule."""
    multisets = Multisets(size, len(FACES))
    matched = [matched_faces(condition, pattern, tuple(row)) for row in multisets.full_counts.tolist()]
    is_match = np.array([counts is not None for counts in matched])
    counts = np.array([counts or (0,) * len(FACES) for counts in matched])
    return np.where(is_match, multisets.find(counts), NO_MATCH).astype(np.int16)


def derive_matches() -> MultisetIndices:
    """Return the rows of package data, by the rule, for all default hands and up to ten dice; takes about a second."""
    columns = [
        np.concatenate(
            [
                [NO_MATCH],
                *(_compute_matches(hand.condition, hand.pattern, size) for size in range(1, MOST_DICE + 1)),
            ]
        )
        for hand in HANDS.values()
    ]
    sums = Multisets(MOST_DICE, len(FACES)).counts @ np.array(FACES)
    return np.stack([*columns, sums], axis=1).astype("<i2")
