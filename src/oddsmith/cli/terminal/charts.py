"""Charts drawn by matplotlib and written as SVG or PNG; equal charts have equal bytes."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from oddsmith.chart import Histogram, LineChart
from oddsmith.errors import InputError, MissingExtraError
from oddsmith.text import error_reason

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS: Final = (".svg", ".png")
SIZE: Final = (8, 4.5)
REACHED, SHORT = "#0072b2", "#d55e00"
"""Blue and vermilion of Okabe and Ito, which colour-blind people can tell apart."""
LINE_COLOURS: Final = ("#000000", "#d55e00", "#0072b2", "#e69f00", "#009e73")
LINE_MARKERS: Final = "osv^D"
BAR_WIDTH: Final = 0.94


def require_chart(file: str) -> None:
    """Refuse a file that no chart can be drawn into, before anything is computed."""
    path = Path(file)
    if path.suffix.lower() not in KINDS:
        raise InputError("unknown_chart", f"a chart ends in {' or '.join(KINDS)}, not '{path.name[:60]}'")
    if not path.parent.is_dir():
        sentence = f"the chart '{file[:80]}' cannot be written: there is no folder '{str(path.parent)[:80]}'"
        raise InputError("not_written", sentence)
    try:
        import matplotlib.figure  # noqa: F401  only whether it is there
    except ImportError as error:
        raise MissingExtraError("no_matplotlib", "charts need matplotlib: install oddsmith[plot]") from error


def draw_chart(chart: Histogram | LineChart, file: str) -> None:
    """Draw a chart into a file of the kind that its name says."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    if isinstance(chart, Histogram):
        _draw_bars(axes, chart)
    else:
        _draw_lines(axes, chart)
    axes.set_title(chart.title)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.spines[["top", "right"]].set_visible(False)
    write_chart(figure, file)


def _draw_bars(axes: "Axes", chart: Histogram) -> None:
    axes.bar(
        [bar.at for bar in chart.bars],
        [bar.height for bar in chart.bars],
        width=chart.width * BAR_WIDTH,
        align="center" if chart.is_centered else "edge",
        color=[REACHED if bar.is_reached else SHORT for bar in chart.bars],
    )
    if chart.mark is not None:
        axes.axvline(chart.mark, color="black", linewidth=1)
    if chart.ticks:
        axes.set_xticks(chart.ticks)


def _draw_lines(axes: "Axes", chart: LineChart) -> None:
    from matplotlib.ticker import MaxNLocator

    if chart.span is not None:
        first, last, name = chart.span
        axes.axvspan(first, last, color="#eeeeee", label=name)
    for line, colour, marker in zip(chart.lines, LINE_COLOURS, LINE_MARKERS, strict=False):
        places = range(1, len(line.values) + 1)
        axes.plot(
            places, line.values, color=colour, marker=marker, markersize=4, linewidth=1.2, label=line.name
        )
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False)


def write_chart(figure: "Figure", file: str) -> None:
    """Write a chart into a file of the kind that its name says."""
    from matplotlib import rc_context

    path = Path(file)
    drawing, kind = BytesIO(), path.suffix.lower().removeprefix(".")
    with rc_context({"svg.hashsalt": "oddsmith"}):
        figure.savefig(drawing, format=kind, metadata={"Date": None} if kind == "svg" else None)
    try:
        path.write_bytes(drawing.getvalue())
    except (OSError, ValueError) as error:
        raise InputError(
            "not_written", f"the chart '{file[:80]}' cannot be written: {error_reason(error)}"
        ) from error
