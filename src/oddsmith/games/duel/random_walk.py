"""The distribution of both fighters' hit points, moved round by round by the damage of a round."""

from fractions import Fraction
from itertools import count
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from oddsmith.games.duel.classes import Integers

Reals = NDArray[np.float64]

ROUNDING: Final = 64 * float(np.finfo(np.float64).eps)
"""A generous bound on the error in one cell of a transform whose factors have norms of at most 1."""


class RoundDistribution(msgspec.Struct, frozen=True, eq=False):
    """The damage of one round: `ways[cards, dealt, taken]`, where `cards` is the number of relevant cards; `total` ways."""

    ways: Integers
    total: int


class RandomWalk:
    """The distribution of both fighters' hit points; a round is a convolution with the distribution of its damage."""

    def __init__(self, distribution: RoundDistribution, full: tuple[int, int], rounds: int) -> None:
        self._hps = full[0] + 1, full[1] + 1
        ways = _cap_damage(_cap_damage(distribution.ways, self._hps[1]).swapaxes(1, 2), self._hps[0])
        _, taken, dealt = ways.shape
        self._most = taken - 1, dealt - 1
        self._shape = transform_size(full[0] + taken), transform_size(full[1] + dealt)
        self._chances = ways / float(Fraction(distribution.total))
        self._transformed = np.fft.rfft2(self._chances.sum(axis=0)[::-1, ::-1], self._shape)
        self.error = ROUNDING * self._shape[0] * self._shape[1] * rounds

    def step(self, mass: Reals) -> Reals:
        """Return the distribution after one more round; hit points below 0 count as 0."""
        moved = np.fft.irfft2(np.fft.rfft2(mass, self._shape) * self._transformed, self._shape)
        (taken, dealt), (hps, others) = self._most, self._hps
        folded = np.concatenate(
            (moved[: taken + 1].sum(axis=0, keepdims=True), moved[taken + 1 : taken + hps])
        )
        below = folded[:, : dealt + 1].sum(axis=1, keepdims=True)
        after: Reals = np.concatenate((below, folded[:, dealt + 1 : dealt + others]), axis=1)
        return after.clip(min=0.0)

    def expect(self, payoff: Integers) -> Reals:
        """Return the mean payoff of a round by the hit points before it.

        `payoff` is indexed by relevant cards and by the hit points after the round.
        """
        (taken, dealt), (hps, others) = self._most, self._hps
        padded = np.pad(payoff[: len(self._chances)], ((0, 0), (taken, 0), (dealt, 0)), mode="edge")
        product = np.fft.rfft2(padded, self._shape) * np.fft.rfft2(self._chances, self._shape)
        expected: Reals = np.fft.irfft2(product.sum(axis=0), self._shape)
        return expected[taken : taken + hps, dealt : dealt + others]


def _cap_damage(ways: Integers, size: int) -> Integers:
    """Add the ways of any damage beyond `size - 1` to those of `size - 1`."""
    if ways.shape[1] <= size:
        return ways
    return np.concatenate((ways[:, : size - 1], ways[:, size - 1 :].sum(axis=1, keepdims=True)), axis=1)


def transform_size(size: int) -> int:
    """Return the next size whose prime factors are 2, 3 and 5: Fourier transforms of such sizes are fast."""
    return next(found for found in count(size) if _has_small_factors(found))


def _has_small_factors(size: int) -> bool:
    for factor in (2, 3, 5):
        while size % factor == 0:
            size //= factor
    return size == 1
