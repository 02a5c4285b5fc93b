"""How many pairs put the first above the second, counted in one sort."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from oddsmith.errors import InputError

__all__ = ["pairs_above"]

Integers = NDArray[np.int64]

WORD_BITS: Final = 63


def pairs_above(
    values: Integers, weights: Integers, others: Integers, other_weights: Integers, *, or_level: bool = False
) -> int:
    """Count the weighted pairs in which a value stands above (or level with) another; neither list is sorted.

    Every value is packed with its place into one word, so that one plain sort puts both lists in order and
    settles ties: what must not be counted at a tie is placed behind.

    >>> die = np.arange(1, 7); once = np.ones(6, dtype=np.int64)
    >>> pairs_above(die, once, die, once), pairs_above(die, once, die, once, or_level=True)
    (15, 21)
    """
    first, second = (others, values) if or_level else (values, others)
    both = np.concatenate((first, second))
    least, most, bits = int(both.min()), int(both.max()), len(both).bit_length()
    if (most - least).bit_length() + bits > WORD_BITS:
        raise InputError("too_wide", "these values lie too far apart to be compared in machine words")
    if int(weights.sum()) * int(other_weights.sum()) >= 1 << WORD_BITS:
        raise InputError("too_heavy", "these weights are too large to be compared in machine words")
    both -= least
    both <<= bits
    both |= np.arange(len(both))
    both.sort()
    both &= (1 << bits) - 1
    nothing = np.zeros_like
    order = (other_weights, nothing(weights)) if or_level else (nothing(weights), other_weights)
    below = np.add.accumulate(np.concatenate(order)[both])
    order = (nothing(other_weights), weights) if or_level else (weights, nothing(other_weights))
    return int(np.concatenate(order)[both] @ below)
