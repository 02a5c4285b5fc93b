"""Observations of one metric by cell."""

from collections.abc import Iterable
from fractions import Fraction

from oddsmith.metric import Observation


def cells_of(observations: Iterable[Observation], metric: str) -> dict[str, tuple[int, Fraction | None]]:
    """Return the value and the mean of the distribution of each cell of a metric."""
    return {
        one.cell: (one.value, None if one.distribution is None else one.distribution.mean)
        for one in observations
        if one.metric == metric
    }
