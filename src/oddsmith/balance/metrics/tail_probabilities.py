"""How surprising a sum of chances is: the exact law of the sum, without drawing anything.

Every part of the sum has a law of its own, over whole numbers. The law of the sum is what the parts' characteristic
functions multiply to, turned back at the place that was observed: first all laws are tilted so that this place is the
middle, so that a tail of 10⁻²⁰⁰ has as many right digits as one of a half.
"""

from collections.abc import Mapping
from math import erfc, exp, gcd, inf, pi, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.metric import NullDistribution

Reals = NDArray[np.float64]

MOST_WORK: Final = 50_000_000
"""How many terms are summed before a saddle point stands in for the whole law."""
WHOLE_SUPPORT: Final = 1 << 16
"""Up to so many places a sum is laid out whole."""
WIDTHS: Final = 24
"""How many standard deviations of a wider sum are laid out; what lies outside is less than a float can tell."""
STEPS: Final = 200
STEEPEST: Final = 700.0
NEAR: Final = 1e-6


class Tails(NamedTuple):
    """The chances that a sum is at most, and at least, what was observed.

    `is_whole` says that the law of the sum was laid out whole, and not told by its saddle point.
    """

    at_most: float
    at_least: float
    is_whole: bool

    @property
    def both(self) -> float:
        """How likely a sum is that is as far out to either side: twice the smaller tail."""
        return min(1.0, 2 * min(self.at_most, self.at_least))


class _Parts(NamedTuple):
    """Laws as a table: values from 0, their probabilities, and how many observations have each law."""

    values: Reals
    chances: Reals
    counts: Reals

    def tilted(self, tilt: float) -> tuple[Reals, Reals]:
        """Return the laws with every value weighted by e to the tilt times it, and the logarithms of what that sums to."""
        exponents = tilt * self.values
        highest = np.where(self.chances > 0, exponents, -inf).max(axis=1, keepdims=True)
        weighed = self.chances * np.exp(np.minimum(exponents - highest, 0))
        sums = weighed.sum(axis=1, keepdims=True)
        return weighed / sums, (np.log(sums) + highest)[:, 0]

    def moments(self, tilt: float) -> tuple[float, float, float]:
        """Return the logarithm of the moment generating function of the sum, and mean and variance of the tilted sum."""
        chances, logs = self.tilted(tilt)
        means = (chances * self.values).sum(axis=1)
        variances = (chances * (self.values - means[:, None]) ** 2).sum(axis=1)
        return float(self.counts @ logs), float(self.counts @ means), float(self.counts @ variances)


def tails_of(laws: Mapping[NullDistribution, int], observed: int) -> Tails:
    """Return how likely the sum of so many observations of each law is at most, and at least, what was observed.

    >>> from fractions import Fraction
    >>> sixes = NullDistribution.of_chance(Fraction(1, 6))
    >>> tails = tails_of({sixes: 4}, 4)
    >>> abs(tails.at_least * 6**4 - 1) < 1e-12, tails.at_most
    (True, 1.0)
    """
    least = sum(count * law.weights[0][0] for law, count in laws.items())
    most = sum(count * law.weights[-1][0] for law, count in laws.items())
    step = gcd(*(value - law.weights[0][0] for law in laws for value, _ in law.weights))
    if not step:
        return Tails(float(observed >= least), float(observed <= least), is_whole=True)
    if not least <= observed <= most:
        return Tails(float(observed > most), float(observed < least), is_whole=True)
    if beyond := (observed - least) % step:
        below, above = tails_of(laws, observed - beyond), tails_of(laws, observed - beyond + step)
        return Tails(below.at_most, above.at_least, below.is_whole)
    parts, place, places = _parts(laws, step), (observed - least) // step, (most - least) // step
    if place >= parts.moments(0.0)[1]:
        return _tails(parts, place, places)
    mirrored = _tails(_mirrored(parts), places - place, places)
    return Tails(mirrored.at_least, mirrored.at_most, mirrored.is_whole)


def _parts(laws: Mapping[NullDistribution, int], step: int) -> _Parts:
    widest = max(len(law.weights) for law in laws)
    values, chances = np.zeros((len(laws), widest)), np.zeros((len(laws), widest))
    for row, law in enumerate(laws):
        first, total = law.weights[0][0], law.total
        values[row, : len(law.weights)] = [(value - first) // step for value, _ in law.weights]
        chances[row, : len(law.weights)] = [ways / total for _, ways in law.weights]
    return _Parts(values, chances, np.array([*laws.values()], dtype=np.float64))


def _mirrored(parts: _Parts) -> _Parts:
    highest = parts.values.max(axis=1, keepdims=True)
    return _Parts(np.where(parts.chances > 0, highest - parts.values, 0), parts.chances, parts.counts)


def _tails(parts: _Parts, place: int, places: int) -> Tails:
    """Return the tails at a place that is not below the mean."""
    if place == places:
        top = np.where(parts.values == parts.values.max(axis=1, keepdims=True), parts.chances, 0).sum(axis=1)
        return Tails(1.0, exp(max(float(parts.counts @ np.log(top)), -STEEPEST)), is_whole=True)
    tilt = _tilt(parts, place)
    weight, _, variance = parts.moments(tilt)
    size = _size(parts, places, variance)
    if parts.values.size * size > MOST_WORK:
        return _saddle(tilt, weight - tilt * place, variance)
    reach = places - place + 1 if size > places else size // 2
    drawn = _laid_out(parts, tilt, place, size)[:reach]
    scaled = drawn * np.exp(-tilt * np.arange(len(drawn)))
    outer = exp(max(weight - tilt * place, -STEEPEST))
    at_least = min(1.0, outer * float(scaled.sum()))
    return Tails(min(1.0, max(0.0, 1 - at_least + outer * float(scaled[0]))), at_least, is_whole=True)


def _tilt(parts: _Parts, place: int) -> float:
    """Return the tilt under which the sum has its mean at a place, by halving."""
    low, high = 0.0, 1.0
    while parts.moments(high)[1] < place and high < STEEPEST:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if parts.moments(middle)[1] < place else (low, middle)
        if high - low <= 1e-12 * high:
            break
    return low


def _size(parts: _Parts, places: int, variance: float) -> int:
    """Return how many places are laid out, a power of two: all of them, or many standard deviations of them."""
    needed = places + 1
    if needed > WHOLE_SUPPORT:
        spread = sqrt(variance) + float(parts.values.max())
        needed = min(needed, WHOLE_SUPPORT // 4 + int(2 * WIDTHS * spread))
    return 1 << (needed - 1).bit_length()


def _laid_out(parts: _Parts, tilt: float, place: int, size: int) -> Reals:
    """Return the tilted law of the sum, a place first and those above it next, by its characteristic function."""
    chances, _ = parts.tilted(tilt)
    angles = 2 * pi * np.arange(size // 2 + 1) / size
    waves = {value: np.exp(1j * value * angles) for value in np.unique(parts.values).tolist()}
    sizes, turns = np.zeros(len(angles)), -place * angles
    for values, weights, count in zip(parts.values.tolist(), chances.tolist(), parts.counts, strict=True):
        turned = sum(weight * waves[value] for value, weight in zip(values, weights, strict=True) if weight)
        with np.errstate(divide="ignore"):
            sizes += count * np.log(np.abs(turned))
        turns += count * np.angle(turned)
    whole: Reals = np.fft.irfft(np.exp(sizes) * np.exp(-1j * turns), size)
    return np.maximum(whole, 0)


def _saddle(tilt: float, exponent: float, variance: float) -> Tails:
    """Return the tails by Lugannani and Rice's formula for sums on a lattice: with so many terms, right to many digits."""
    if tilt < NEAR:
        return Tails(0.5, 0.5, is_whole=False)
    distance, scaled = sqrt(-2 * exponent), (1 - exp(-tilt)) * sqrt(variance)
    density = exp(max(exponent, -STEEPEST)) / sqrt(2 * pi)
    at_least = erfc(distance / sqrt(2)) / 2 + density * (1 / scaled - 1 / distance)
    return Tails(min(1.0, max(0.0, 1 - at_least)), min(1.0, max(0.0, at_least)), is_whole=False)
