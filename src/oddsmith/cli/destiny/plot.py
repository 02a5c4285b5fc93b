"""Charts for a paper or a wiki: SVG or PNG, drawn by matplotlib."""

from io import BytesIO
from pathlib import Path
from textwrap import fill
from typing import Final

from oddsmith.cli.console import percent, why
from oddsmith.cli.destiny.replies import OddsReply
from oddsmith.cli.destiny.show import total_bins
from oddsmith.errors import InputError
from oddsmith.games.destiny.odds import Totals

__all__ = ["plot_totals"]

KINDS: Final = (".svg", ".png")
WIDEST_TITLE: Final = 80
MET, MISSED = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito: told apart by every eye."""


def plot_totals(drawn: Totals, reply: OddsReply, file: str, *, heading: str) -> None:
    """Draw the exact distribution of a total with its threshold, into a file of the kind that its name says."""
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise InputError("unknown_chart", f"a chart ends in {' or '.join(KINDS)}, not '{path.name[:60]}'")
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise InputError("no_matplotlib", "charts need matplotlib: install oddsmith[plot]") from error
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
    drawing, kind = BytesIO(), path.suffix.lower().removeprefix(".")
    with rc_context({"svg.hashsalt": "oddsmith"}):
        figure.savefig(drawing, format=kind, metadata={"Date": None} if kind == "svg" else None)
    try:
        path.write_bytes(drawing.getvalue())
    except (OSError, ValueError) as error:
        raise InputError("not_written", f"the chart '{file[:80]}' cannot be written: {why(error)}") from error
