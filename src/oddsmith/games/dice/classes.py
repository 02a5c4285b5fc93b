"""Which dice match which hand, asked once for each multiset of faces and kept as a table.

The table of the hands as the page has them is package data, derived from the rule by `derive`; a test derives it
anew. Other conditions are asked when they are met.
"""

from functools import cache, lru_cache
from importlib import resources
from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.games.dice.parts import FACES, HANDS, MOST_DICE, Condition, Hand
from oddsmith.games.dice.scoring import matched_faces
from oddsmith.odds.multisets import Multisets

__all__ = ["NOTHING", "derive", "kept_matches", "matches"]

Places = NDArray[np.int64]

DATA: Final = "matches.npy"
NOTHING: Final = -1
_NOTHING_KEPT: Final = 2**16 - 1
_KEPT: Final = {(hand.condition, hand.pattern): row for row, hand in enumerate(HANDS.values())}


@lru_cache(maxsize=1000)
def matches(hand: Hand, size: int) -> Places:
    """Return, for each multiset of `size` faces, the place of the multiset that matches, or `NOTHING`.

    Places are those of `oddsmith.odds.multisets.Multisets`, whose face 0 is a one.

    >>> places = matches(HANDS["pair"], 2)
    >>> int((places != NOTHING).sum()), len(places)
    (6, 21)
    """
    row = _KEPT.get((hand.condition, hand.pattern))
    if row is None:
        return _asked(hand.condition, hand.pattern, size)
    kept = kept_matches()[row, Multisets(size, len(FACES)).full].astype(np.int64)
    kept[kept == _NOTHING_KEPT] = NOTHING
    kept.flags.writeable = False
    return kept


@cache
def kept_matches() -> NDArray[np.uint16]:
    """Return the table of the hands as the page has them, read from package data once."""
    with resources.files(__package__).joinpath(DATA).open("rb") as data:
        table: NDArray[np.uint16] = np.load(data, allow_pickle=False)
    return table


def _asked(condition: Condition, pattern: tuple[int, ...], size: int) -> Places:
    """Ask the rule for each multiset of `size` faces."""
    multisets = Multisets(size, len(FACES))
    answers = [matched_faces(condition, pattern, tuple(row)) for row in multisets.full_counts.tolist()]
    holds = np.array([answer is not None for answer in answers])
    counts = np.array([answer or (0,) * len(FACES) for answer in answers])
    places: Places = np.where(holds, multisets.find(counts), NOTHING)
    places.flags.writeable = False
    return places


def derive() -> NDArray[np.uint16]:
    """Ask the rule for all hands of the page and all pools up to ten dice; it takes about a second."""
    rows = [
        np.concatenate(
            [[NOTHING], *(_asked(hand.condition, hand.pattern, size) for size in range(1, MOST_DICE + 1))]
        )
        for hand in HANDS.values()
    ]
    return np.where(np.array(rows) == NOTHING, _NOTHING_KEPT, rows).astype(np.uint16)
