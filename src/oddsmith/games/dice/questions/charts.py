"""The chart of one roll: its scores in bins, with the target."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from textwrap import fill
from typing import TYPE_CHECKING, Final

from oddsmith.chart import Histogram, HistogramBar
from oddsmith.games.dice.builds import describe_build
from oddsmith.games.dice.rules import Rules
from oddsmith.text import percent

if TYPE_CHECKING:
    from oddsmith.games.dice.questions.requests import RollOddsRequest
    from oddsmith.games.dice.questions.rolls import RollOddsReply

MOST_BINS: Final = 24
BIN_WIDTHS: Final = (1, 2, 5)
WIDEST_TITLE: Final = 80


def draw_scores(request: "RollOddsRequest", reply: "RollOddsReply", rules: Rules) -> Histogram:  # noqa: ARG001  the reply says it all
    """Return the exact distribution of a score with its target."""
    target, bins = reply.target, score_bins(reply.scores, reply.target)
    heading = fill(describe_build(reply.build, reply.boss, reply.fixed), WIDEST_TITLE)
    if target is None or reply.success is None:
        title = f"{heading}\none roll, mean score {float(reply.mean):.2f} (exact)"
    else:
        chance = percent(Fraction(reply.success.count, reply.success.total))
        title = f"{heading}\none roll reaches {target} in {chance} (exact)"
    return Histogram(
        title=title,
        across="score",
        up="% of rolls",
        bars=tuple(
            HistogramBar(low, 100 * count / reply.total, target is None or low >= target)
            for low, _, count in bins
        ),
        width=bins[0][1] - bins[0][0] + 1,
        mark=target,
    )


def score_bins(scores: Sequence[tuple[int, int]], target: int | None) -> list[tuple[int, int, int]]:
    """Count scores in bins of a round width, one of which starts at the target; empty ones are left out.

    Each bin is its least score, its most, and the number of ways.

    >>> score_bins([(3, 1), (7, 2), (50, 4)], 40)
    [(2, 3, 1), (6, 7, 2), (50, 51, 4)]
    """
    lowest, highest = scores[0][0], scores[-1][0]
    width = next(
        size * 10**power
        for power in range(len(str(highest)) + 1)
        for size in BIN_WIDTHS
        if (highest - lowest) // (size * 10**power) < MOST_BINS
    )
    bins: Counter[int] = Counter()
    for total, count in scores:
        bins[total - (total - (target or 0)) % width] += count
    return [(low, low + width - 1, count) for low, count in sorted(bins.items())]
