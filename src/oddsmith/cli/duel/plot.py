"""Charts for a paper or a wiki: in which round duels end, drawn by matplotlib."""

from typing import Final

from oddsmith.cli.duel.replies import DuelOddsReply
from oddsmith.cli.duel.show import gear
from oddsmith.cli.terminal.charts import write_chart
from oddsmith.games.duel.rules import Rules

__all__ = ["plot_endings"]

COLOURS: Final = ("#000000", "#d55e00", "#0072b2", "#e69f00", "#009e73")
MARKERS: Final = "osv^D"
"""Colours of Okabe and Ito, each with a shape of its own: told apart by every eye."""


def plot_endings(reply: DuelOddsReply, rules: Rules, file: str) -> None:
    """Draw for each bot in which round its duels end, into a file of the kind that its name says."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    first, last = reply.typical_rounds
    axes.axvspan(first - 0.5, last + 0.5, color="#eeeeee", label=f"rounds {first} to {last}")
    for (name, one), colour, marker in zip(reply.bots.items(), COLOURS, MARKERS, strict=False):
        rounds, shares = range(1, len(one.ends) + 1), [100 * share for share in one.ends]
        axes.plot(rounds, shares, color=colour, marker=marker, markersize=4, linewidth=1.2, label=name)
    axes.set_title(f"In which round duels end: difficulty {rules.difficulty}, {gear(rules.player)}")
    axes.set_xlabel("round")
    axes.set_ylabel("% of duels, with fresh decks")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    write_chart(figure, file)
