"""Means and proportions of samples: exact counts, from which mean and 95 % error are computed."""

from collections.abc import Mapping
from fractions import Fraction
from math import inf, sqrt
from typing import Final, Self

import msgspec

__all__ = ["Estimate", "Proportion"]

Z_95: Final = 1.959963984540054
"""The two-sided 95 % quantile of the standard normal distribution."""


class Estimate(msgspec.Struct, frozen=True):
    """The mean of a sample of whole numbers: its count, its sum, and its sum of squares.

    >>> rounds = Estimate.of({3: 1, 4: 2, 5: 1})
    >>> rounds.mean, round(rounds.error, 4)
    (4.0, 0.8002)
    """

    count: int
    total: int
    squares: int

    @classmethod
    def of(cls, counts: Mapping[int, int]) -> Self:
        """Return the estimate of a sample, given as the count of each number."""
        return cls(
            sum(counts.values()),
            sum(number * count for number, count in counts.items()),
            sum(number * number * count for number, count in counts.items()),
        )

    @property
    def mean(self) -> float:
        """The sum divided by the count."""
        return self.total / self.count

    @property
    def error(self) -> float:
        """Half the width of the 95 % confidence interval of the mean; infinite for a sample of one."""
        if self.count == 1:
            return inf
        variance = Fraction(self.squares * self.count - self.total**2, self.count * (self.count - 1))
        return Z_95 * sqrt(variance / self.count)


class Proportion(msgspec.Struct, frozen=True):
    """A share of cases: `happened` of `count`. `low` and `high` are the 95 % Wilson interval.

    >>> wins = Proportion(100, 81)
    >>> f"{wins.mean} in {wins.low:.4f} to {wins.high:.4f}"
    '0.81 in 0.7222 to 0.8749'
    """

    count: int
    happened: int

    @property
    def mean(self) -> float:
        """The share of cases in which it happened."""
        return self.happened / self.count

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval of the true share."""
        return 0.0 if self.happened == 0 else self._center - self._half_width

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval of the true share."""
        return 1.0 if self.happened == self.count else self._center + self._half_width

    @property
    def error(self) -> float:
        """The distance from the mean to the farther end of the 95 % interval."""
        return max(self.high - self.mean, self.mean - self.low)

    @property
    def _center(self) -> float:
        return (self.happened + Z_95**2 / 2) / (self.count + Z_95**2)

    @property
    def _half_width(self) -> float:
        spread = self.happened * (self.count - self.happened) / self.count + Z_95**2 / 4
        return Z_95 * sqrt(spread) / (self.count + Z_95**2)
