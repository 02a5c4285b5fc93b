"""Charts drawn by matplotlib as SVG; the same numbers give the same bytes."""

from collections.abc import Sequence
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from oddsmith.balance.formatting import format_reading
from oddsmith.balance.sensitivity import Sensitivities
from oddsmith.chart import Chart, ChartKind, Series
from oddsmith.figure import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""The palette of Okabe and Ito, which colour-blind readers can distinguish; patterns and dashes do the same in print."""
HATCHES: Final = ("", "//", "..", "xx", "--", "++", "oo")
DASHES: Final = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1)), (0, (1, 1)))
SIZE: Final = (6.4, 3.6)
MOST_LABELS: Final = 12
"""With more places than this, only some are labelled."""
LONG_LABEL: Final = 6
LEGEND_COLUMNS: Final = 4
LEAST_VISIBLE_ERROR: Final = 1e-3


def draw_chart(chart: Chart, most: float | None = None) -> str:
    """Return a chart as SVG; `most` is the greatest value of the axis, so that two charts can be compared."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": "oddsmith", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        if chart.kind is ChartKind.CURVES:
            _draw_curves(axes, chart)
        else:
            _draw_bars(axes, chart, stacked=chart.kind is ChartKind.STACKED)
        _format_axes(axes, chart, most)
        output = StringIO()
        figure.savefig(output, format="svg", metadata={"Date": None}, transparent=True)
    return output.getvalue()[output.getvalue().index("<svg") :]


def _scale(chart: Chart, numbers: Sequence[Any]) -> list[float]:
    factor = 100 if chart.unit is Unit.CHANCE else 1
    return [float(number * factor) for number in numbers]


def _draw_curves(axes: "Axes", chart: Chart) -> None:
    places = [float(place) for place in chart.places]
    for number, series in enumerate(chart.series):
        values = _scale(chart, series.values)
        colour = COLOURS[number % len(COLOURS)]
        axes.plot(
            places,
            values,
            label=series.name,
            color=colour,
            linestyle=DASHES[number % len(DASHES)],
            linewidth=1.8,
        )
        errors = _scale(chart, series.errors)
        if _are_visible(errors):
            axes.fill_between(
                places,
                [value - error for value, error in zip(values, errors, strict=True)],
                [value + error for value, error in zip(values, errors, strict=True)],
                color=colour,
                alpha=0.2,
                linewidth=0,
            )


def _draw_bars(axes: "Axes", chart: Chart, *, stacked: bool) -> None:
    many = 1 if stacked else len(chart.series)
    width, below = 0.8 / many, [0.0] * len(chart.places)
    for number, series in enumerate(chart.series):
        values = _scale(chart, series.values)
        shift = 0.0 if stacked else (number - (many - 1) / 2) * width
        axes.bar(
            [place + shift for place in range(len(chart.places))],
            values,
            width=width * 0.94,
            bottom=below if stacked else None,
            label=series.name,
            color=COLOURS[number % len(COLOURS)],
            hatch=HATCHES[number % len(HATCHES)],
            edgecolor="white",
            linewidth=0.5,
            yerr=_bar_errors(chart, series),
        )
        if stacked:
            below = [low + value for low, value in zip(below, values, strict=True)]
    _label_places(axes, chart)


def _bar_errors(chart: Chart, series: Series) -> list[float] | None:
    errors = _scale(chart, series.errors)
    return errors if _are_visible(errors) else None


def _are_visible(errors: Sequence[float]) -> bool:
    return any(error > LEAST_VISIBLE_ERROR for error in errors)


def _label_places(axes: "Axes", chart: Chart) -> None:
    step = -(-len(chart.places) // MOST_LABELS) if all(map(_is_number, chart.places)) else 1
    labelled = range(0, len(chart.places), step)
    long = any(len(name) > LONG_LABEL for name in chart.places)
    axes.set_xticks(
        list(labelled),
        [chart.places[place] for place in labelled],
        rotation=35 if long else 0,
        ha="right" if long else "center",
        fontsize="small",
    )


def _is_number(name: str) -> bool:
    return name.lstrip("-").replace(".", "", 1).isdigit()


def _format_axes(axes: "Axes", chart: Chart, most: float | None) -> None:
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel("%" if chart.unit is Unit.CHANCE else "")
    axes.set_ylim(0, most)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3, linewidth=0.6)
    axes.set_axisbelow(True)
    if len(chart.series) > 1:
        axes.legend(
            frameon=False,
            fontsize="small",
            ncols=min(len(chart.series), LEGEND_COLUMNS),
            loc="lower left",
            bbox_to_anchor=(0, 1),
        )


MOST_BARS: Final = 12
HALF_BAR: Final = 0.4
DOWN_COLOUR, UP_COLOUR = "#b4552d", "#2d6a8f"


def draw_tornado(found: Sensitivities) -> "Figure":
    """Return a matplotlib figure with a tornado chart for each watched figure, one below the other."""
    from matplotlib.figure import Figure

    heights = [max(len(found.effects(place)[:MOST_BARS]), 1) for place in range(len(found.watched))]
    figure = Figure(figsize=(9, sum(0.32 * height + 1.3 for height in heights)), layout="constrained")
    axes = figure.subplots(len(heights), 1, squeeze=False, height_ratios=[height + 2 for height in heights])
    for place, axis in enumerate(axes[:, 0]):
        _draw_tornado_axis(axis, found, place)
    return figure


def _draw_tornado_axis(axis: "Axes", found: Sensitivities, place: int) -> None:
    watched, rows = found.watched[place], found.effects(place)[:MOST_BARS]
    factor = 100 if watched.unit is Unit.CHANCE else 1
    names = [f"{effect.nudge.key} = {effect.nudge.today}" for effect in rows]
    sides = (
        (-HALF_BAR / 2, [effect.down for effect in rows], DOWN_COLOUR, "a step down"),
        (HALF_BAR / 2, [effect.up for effect in rows], UP_COLOUR, "a step up"),
    )
    for shift, changes, colour, label in sides:
        widths = [float((change or Fraction(0)) * factor) for change in changes]
        axis.barh(
            [row + shift for row in range(len(rows))], widths, color=colour, label=label, height=HALF_BAR
        )
    axis.set_yticks(range(len(rows)), names)
    axis.invert_yaxis()
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_title(f"{watched.name}: {format_reading(watched.today, watched.unit)}", fontsize=10)
    axis.set_xlabel("percentage points" if factor > 1 else "change")
    for edge in ("top", "right", "left"):
        axis.spines[edge].set_visible(False)
    if rows and not place:
        axis.legend(frameon=False, fontsize=8)
