"""Charts for a paper or a wiki: SVG or PNG, drawn by matplotlib."""

from textwrap import fill
from typing import Final

from oddsmith.cli.destiny.replies import OddsReply
from oddsmith.cli.destiny.show import total_bins
from oddsmith.cli.terminal.charts import require_chart, write_chart
from oddsmith.games.destiny.odds import Totals
from oddsmith.text import percent

__all__ = ["plot_totals"]

WIDEST_TITLE: Final = 80
MET, MISSED = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito: told apart by every eye."""


def plot_totals(drawn: Totals, reply: OddsReply, file: str, *, heading: str) -> None:
    """Draw the exact distribution of a total with its threshold, into a file of the kind that its name says."""
    require_chart(file)
    from matplotlib.figure import Figure

    threshold = reply.target.threshold
    bins = total_bins(drawn, threshold)
    width = float(bins[1][0] - bins[0][0]) if len(bins) > 1 else 1.0
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.bar(
        [float(low) for low, _ in bins],
        [100 * count / reply.total for _, count in bins],
        width=width * 0.94,
        align="edge",
        color=[MET if low >= threshold else MISSED for low, _ in bins],
    )
    axes.axvline(float(threshold), color="black", linewidth=1)
    name = (reply.target.name or "check").replace("_", " ")
    axes.set_title(
        f"{fill(f'{name}: {heading}', WIDEST_TITLE)}\nthreshold {threshold}, met in {percent(reply.success_exact)} of draws (exact)"
    )
    axes.set_xlabel("total")
    axes.set_ylabel(f"% of {reply.total:,} hands")
    axes.spines[["top", "right"]].set_visible(False)
    write_chart(figure, file)
