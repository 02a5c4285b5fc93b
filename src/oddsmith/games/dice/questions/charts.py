"""Charts for a paper or a wiki: the scores of one roll, drawn by matplotlib."""

from fractions import Fraction
from textwrap import fill
from typing import Final

from oddsmith.cli.dice.replies import DiceOddsReply
from oddsmith.cli.dice.show import build_words, score_bins
from oddsmith.cli.terminal.charts import write_chart
from oddsmith.text import percent

__all__ = ["plot_scores"]

WIDEST_TITLE: Final = 80
REACHED, SHORT = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito: told apart by every eye."""


def plot_scores(reply: DiceOddsReply, file: str) -> None:
    """Draw the exact distribution of a score with its target, into a file of the kind that its name says."""
    from matplotlib.figure import Figure

    target, bins = reply.target, score_bins(reply.scores, reply.target)
    width = bins[0][1] - bins[0][0] + 1
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.bar(
        [low for low, _, _ in bins],
        [100 * count / reply.total for _, _, count in bins],
        width=width * 0.94,
        align="edge",
        color=[SHORT if target is not None and low < target else REACHED for low, _, _ in bins],
    )
    heading = fill(build_words(reply.build, reply.boss, reply.fixed), WIDEST_TITLE)
    if target is None or reply.success is None:
        axes.set_title(f"{heading}\none roll, mean score {float(reply.mean):.2f} (exact)")
    else:
        axes.axvline(target, color="black", linewidth=1)
        axes.set_title(
            f"{heading}\none roll reaches {target} in {percent(Fraction(reply.success.count, reply.success.total))} (exact)"
        )
    axes.set_xlabel("score")
    axes.set_ylabel("% of rolls")
    axes.spines[["top", "right"]].set_visible(False)
    write_chart(figure, file)
