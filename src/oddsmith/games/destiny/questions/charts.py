"""The chart of a check: its totals in bins, with its threshold."""

from textwrap import fill
from typing import TYPE_CHECKING, Final

from oddsmith.chart import Histogram, HistogramBar
from oddsmith.games.destiny.characters import read_character, write_character
from oddsmith.games.destiny.rules import Rules
from oddsmith.points import Points
from oddsmith.text import percent

if TYPE_CHECKING:
    from oddsmith.games.destiny.questions.checks import CheckOddsReply, CheckOddsRequest

MOST_BINS: Final = 24
BIN_WIDTHS: Final = (1, 2, 5, 10, 20, 25, 50)
WIDEST_TITLE: Final = 80


def draw_totals(request: "CheckOddsRequest", reply: "CheckOddsReply", rules: Rules) -> Histogram:
    """Return the exact distribution of a total with its threshold."""
    threshold, bins = reply.target.threshold, total_bins(reply)
    name = (reply.target.name or "check").replace("_", " ")
    heading = write_character(read_character(request.character, rules, request.at))
    return Histogram(
        title=f"{fill(f'{name}: {heading}', WIDEST_TITLE)}\n"
        f"threshold {threshold}, met in {percent(reply.success_exact)} of draws (exact)",
        across="total",
        up=f"% of {reply.total:,} hands",
        bars=tuple(
            HistogramBar(float(low), 100 * count / reply.total, low >= threshold) for low, count in bins
        ),
        width=float(bins[1][0] - bins[0][0]) if len(bins) > 1 else 1.0,
        mark=float(threshold),
    )


def total_bins(reply: "CheckOddsReply") -> list[tuple[Points, int]]:
    """Count totals in bins of a round width, one of which starts at the threshold; the reply lists every total."""
    totals = [(total.hundredths, count) for total, count in reply.distribution or ()]
    lowest, highest = totals[0][0], totals[-1][0]
    width = next(
        size * 10**power * 100
        for power in range(9)
        for size in BIN_WIDTHS
        if (highest - lowest) // (size * 10**power * 100) < MOST_BINS
    )
    start = lowest - (lowest - reply.target.threshold.hundredths) % width
    counts = [0] * ((highest - start) // width + 1)
    for total, count in totals:
        counts[(total - start) // width] += count
    return [(Points.of_hundredths(start + place * width), count) for place, count in enumerate(counts)]
