"""Which dice match which hand, asked once for each multiset of faces and kept as a table.

The table of the hands as the page has them is package data, derived from the rule by `derive_matches`; a test derives it
anew. Other conditions are asked when they are met.
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
"""Whole numbers of two bytes, the lower first: a row for each multiset, in the order of their places."""
NO_MATCH: Final = -1
_STORED_COLUMNS: Final = {(hand.condition, hand.pattern): row for row, hand in enumerate(HANDS.values())}


def find_matches(hands: Sequence[Hand], size: int) -> MultisetIndices:
    """Return, for each hand and each multiset of `size` faces, the place of what matches, or `NO_MATCH`.

    Places are those of `oddsmith.odds.multisets.Multisets`, whose face 0 is a one.

    >>> places = find_matches([HANDS["pair"]], 2)
    >>> int((places != NO_MATCH).sum()), places.shape
    (6, (1, 21))
    """
    rows = [_STORED_COLUMNS.get((hand.condition, hand.pattern)) for hand in hands]
    known = stored_matches(size)[Multisets(size, len(FACES)).full, [row or 0 for row in rows]].T
    for number, (row, hand) in enumerate(zip(rows, hands, strict=True)):
        if row is None:
            known[number] = _compute_matches(hand.condition, hand.pattern, size)
    return known


def face_sums(places: MultisetIndices, size: int) -> MultisetIndices:
    """Return what the faces of the multisets at these places add up to; they have at most `size` faces.

    >>> face_sums(np.array([0, 6]), 1).tolist()
    [0, 6]
    """
    added: MultisetIndices = stored_matches(size)[places, -1]
    return added


@cache
def stored_matches(size: int) -> MultisetIndices:
    """Return the rows of all multisets of at most `size` faces, read from package data once.

    A row has what matches of it for each hand of the page, and last its sum.
    """
    columns = len(HANDS) + 1
    with resources.files(__package__).joinpath(DATA_FILE).open("rb") as data:
        read = data.read(2 * columns * len(Multisets(size, len(FACES))))
    return np.frombuffer(read, dtype="<i2").reshape(-1, columns)


@lru_cache(maxsize=1000)
def _compute_matches(condition: Condition, pattern: tuple[int, ...], size: int) -> MultisetIndices:
    """Ask the rule for each multiset of `size` faces."""
    multisets = Multisets(size, len(FACES))
    answers = [matched_faces(condition, pattern, tuple(row)) for row in multisets.full_counts.tolist()]
    holds = np.array([answer is not None for answer in answers])
    counts = np.array([answer or (0,) * len(FACES) for answer in answers])
    return np.where(holds, multisets.find(counts), NO_MATCH).astype(np.int16)


def derive_matches() -> MultisetIndices:
    """Ask the rule for all hands of the page and all pools up to ten dice; it takes about a second."""
    columns = [
        np.concatenate(
            [
                [NO_MATCH],
                *(_compute_matches(hand.condition, hand.pattern, size) for size in range(1, MOST_DICE + 1)),
            ]
        )
        for hand in HANDS.values()
    ]
    added = Multisets(MOST_DICE, len(FACES)).counts @ np.array(FACES)
    return np.stack([*columns, added], axis=1).astype("<i2")
