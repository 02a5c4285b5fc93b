"""Tail probabilities of sums of independent integer variables, computed without simulation.

Every summand has its own distribution over integers. The distribution of the sum is the inverse Fourier transform
of the product of the characteristic functions. All distributions are first exponentially tilted so that the
observed value is the mean of the sum. So a tail of 10⁻²⁰⁰ has as many correct digits as one of a half.
"""

from collections.abc import Mapping
from math import erfc, exp, gcd, inf, pi, sqrt
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from oddsmith.metric import NullDistribution

Reals = NDArray[np.float64]

MOST_WORK: Final = 50_000_000
"""The number of terms that are summed; beyond it the saddle-point approximation is used."""
FULL_SUPPORT: Final = 1 << 16
"""Up to this number of values, the distribution of the sum is computed on its whole support."""
STANDARD_DEVIATIONS: Final = 24
"""The range of a wider sum that is computed, in standard deviations; the rest is below the precision of a float."""
MOST_BISECTIONS: Final = 200
GREATEST_EXPONENT: Final = 700.0
SMALLEST_TILT: Final = 1e-6


class TailProbabilities(NamedTuple):
    """The probabilities that a sum is at most, and at least, the observed value.

    `is_approximate` says that they come from the saddle-point approximation.
    """

    at_most: float
    at_least: float
    is_approximate: bool

    @property
    def two_sided(self) -> float:
        """The two-sided p-value: twice the smaller tail probability."""
        return min(1.0, 2 * min(self.at_most, self.at_least))


class _Summands(NamedTuple):
    """Distributions as arrays: values from 0, their probabilities, and the number of observations of each distribution."""

    values: Reals
    probabilities: Reals
    counts: Reals

    def tilt_by(self, tilt: float) -> tuple[Reals, Reals]:
        """Return the distributions with weights `exp(tilt · value)`, and the logarithms of their normalising constants."""
        exponents = tilt * self.values
        highest = np.where(self.probabilities > 0, exponents, -inf).max(axis=1, keepdims=True)
        weighted = self.probabilities * np.exp(np.minimum(exponents - highest, 0))
        sums = weighted.sum(axis=1, keepdims=True)
        return weighted / sums, (np.log(sums) + highest)[:, 0]

    def moments(self, tilt: float) -> tuple[float, float, float]:
        """Return the cumulant generating function of the sum at a tilt, and mean and variance of the tilted sum."""
        probabilities, logs = self.tilt_by(tilt)
        means = (probabilities * self.values).sum(axis=1)
        variances = (probabilities * (self.values - means[:, None]) ** 2).sum(axis=1)
        return float(self.counts @ logs), float(self.counts @ means), float(self.counts @ variances)


def sum_tails(distributions: Mapping[NullDistribution, int], observed: int) -> TailProbabilities:
    """Return the tail probabilities at `observed` of a sum with the given number of observations of each distribution.

    >>> from fractions import Fraction
    >>> sixes = NullDistribution.of_chance(Fraction(1, 6))
    >>> tails = sum_tails({sixes: 4}, 4)
    >>> abs(tails.at_least * 6**4 - 1) < 1e-12, tails.at_most
    (True, 1.0)
    """
    least = sum(count * distribution.weights[0][0] for distribution, count in distributions.items())
    most = sum(count * distribution.weights[-1][0] for distribution, count in distributions.items())
    step = gcd(
        *(
            value - distribution.weights[0][0]
            for distribution in distributions
            for value, _ in distribution.weights
        )
    )
    if not step:
        return TailProbabilities(float(observed >= least), float(observed <= least), is_approximate=False)
    if not least <= observed <= most:
        return TailProbabilities(float(observed > most), float(observed < least), is_approximate=False)
    if beyond := (observed - least) % step:
        below, above = (
            sum_tails(distributions, observed - beyond),
            sum_tails(distributions, observed - beyond + step),
        )
        return TailProbabilities(below.at_most, above.at_least, below.is_approximate)
    summands, place, places = (
        _make_summands(distributions, step),
        (observed - least) // step,
        (most - least) // step,
    )
    if place >= summands.moments(0.0)[1]:
        return _upper_tails(summands, place, places)
    mirrored = _upper_tails(_mirror(summands), places - place, places)
    return TailProbabilities(mirrored.at_least, mirrored.at_most, mirrored.is_approximate)


def _make_summands(distributions: Mapping[NullDistribution, int], step: int) -> _Summands:
    widest = max(len(distribution.weights) for distribution in distributions)
    values, probabilities = np.zeros((len(distributions), widest)), np.zeros((len(distributions), widest))
    for row, distribution in enumerate(distributions):
        first, total = distribution.weights[0][0], distribution.total
        values[row, : len(distribution.weights)] = [
            (value - first) // step for value, _ in distribution.weights
        ]
        probabilities[row, : len(distribution.weights)] = [ways / total for _, ways in distribution.weights]
    return _Summands(values, probabilities, np.array([*distributions.values()], dtype=np.float64))


def _mirror(summands: _Summands) -> _Summands:
    highest = summands.values.max(axis=1, keepdims=True)
    return _Summands(
        np.where(summands.probabilities > 0, highest - summands.values, 0),
        summands.probabilities,
        summands.counts,
    )


def _upper_tails(summands: _Summands, place: int, places: int) -> TailProbabilities:
    """Return the tail probabilities at an index that is not below the mean."""
    if place == places:
        top = np.where(
            summands.values == summands.values.max(axis=1, keepdims=True), summands.probabilities, 0
        ).sum(axis=1)
        return TailProbabilities(
            1.0, exp(max(float(summands.counts @ np.log(top)), -GREATEST_EXPONENT)), is_approximate=False
        )
    tilt = _find_tilt(summands, place)
    weight, _, variance = summands.moments(tilt)
    size = _transform_size(summands, places, variance)
    if summands.values.size * size > MOST_WORK:
        return _saddle_point_tails(tilt, weight - tilt * place, variance)
    reach = places - place + 1 if size > places else size // 2
    density = _invert_transform(summands, tilt, place, size)[:reach]
    scaled = density * np.exp(-tilt * np.arange(len(density)))
    factor = exp(max(weight - tilt * place, -GREATEST_EXPONENT))
    at_least = min(1.0, factor * float(scaled.sum()))
    return TailProbabilities(
        min(1.0, max(0.0, 1 - at_least + factor * float(scaled[0]))), at_least, is_approximate=False
    )


def _find_tilt(summands: _Summands, place: int) -> float:
    """Return the tilt under which the sum has its mean at an index, by bisection."""
    low, high = 0.0, 1.0
    while summands.moments(high)[1] < place and high < GREATEST_EXPONENT:
        low, high = high, 2 * high
    for _ in range(MOST_BISECTIONS):
        middle = (low + high) / 2
        low, high = (middle, high) if summands.moments(middle)[1] < place else (low, middle)
        if high - low <= 1e-12 * high:
            break
    return low


def _transform_size(summands: _Summands, places: int, variance: float) -> int:
    """Return the length of the Fourier transform, a power of two: the whole support, or many standard deviations."""
    needed = places + 1
    if needed > FULL_SUPPORT:
        spread = sqrt(variance) + float(summands.values.max())
        needed = min(needed, FULL_SUPPORT // 4 + int(2 * STANDARD_DEVIATIONS * spread))
    return 1 << (needed - 1).bit_length()


def _invert_transform(summands: _Summands, tilt: float, place: int, size: int) -> Reals:
    """Return the distribution of the tilted sum from an index on, by inverting its characteristic function."""
    probabilities, _ = summands.tilt_by(tilt)
    angles = 2 * pi * np.arange(size // 2 + 1) / size
    waves = {value: np.exp(1j * value * angles) for value in np.unique(summands.values).tolist()}
    log_moduli, phases = np.zeros(len(angles)), -place * angles
    for values, weights, count in zip(
        summands.values.tolist(), probabilities.tolist(), summands.counts, strict=True
    ):
        transform = sum(
            weight * waves[value] for value, weight in zip(values, weights, strict=True) if weight
        )
        with np.errstate(divide="ignore"):
            log_moduli += count * np.log(np.abs(transform))
        phases += count * np.angle(transform)
    whole: Reals = np.fft.irfft(np.exp(log_moduli) * np.exp(-1j * phases), size)
    return np.maximum(whole, 0)


def _saddle_point_tails(tilt: float, exponent: float, variance: float) -> TailProbabilities:
    """Return the tail probabilities by the formula of Lugannani and Rice for sums on a lattice."""
    if tilt < SMALLEST_TILT:
        return TailProbabilities(0.5, 0.5, is_approximate=True)
    distance, scaled = sqrt(-2 * exponent), (1 - exp(-tilt)) * sqrt(variance)
    density = exp(max(exponent, -GREATEST_EXPONENT)) / sqrt(2 * pi)
    at_least = erfc(distance / sqrt(2)) / 2 + density * (1 / scaled - 1 / distance)
    return TailProbabilities(
        min(1.0, max(0.0, 1 - at_least)), min(1.0, max(0.0, at_least)), is_approximate=True
    )
