"""Charts for a paper or a wiki: the totals of a check, drawn by matplotlib."""

from fractions import Fraction
from typing import Final

from oddsmith.cli.fate.replies import FateOddsReply
from oddsmith.cli.fate.show import what_words
from oddsmith.cli.terminal.charts import write_chart
from oddsmith.games.fate.rules import Rules
from oddsmith.text import percent

__all__ = ["plot_totals"]

REACHED, SHORT = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito: told apart by every eye."""
MOST_TICKS: Final = 20


def plot_totals(reply: FateOddsReply, rules: Rules, file: str) -> None:
    """Draw the exact distribution of a total with its target, into a file of the kind that its name says."""
    from matplotlib.figure import Figure

    target = reply.target
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.bar(
        [total for total, _ in reply.totals],
        [100 * ways / reply.total for _, ways in reply.totals],
        width=0.94,
        color=[SHORT if target is not None and total < target else REACHED for total, _ in reply.totals],
    )
    heading = what_words(reply, rules)
    if target is None or reply.success is None:
        axes.set_title(f"{heading}\nmean total {float(reply.mean):.2f} (exact)")
    else:
        chance = Fraction(reply.success.count, reply.success.total)
        axes.axvline(target - 0.5, color="black", linewidth=1)
        axes.set_title(f"{heading}\nreaches {target} in {percent(chance)} (exact)")
    if len(reply.totals) <= MOST_TICKS:
        axes.set_xticks([total for total, _ in reply.totals])
    axes.set_xlabel("total")
    axes.set_ylabel("% of checks")
    axes.spines[["top", "right"]].set_visible(False)
    write_chart(figure, file)
