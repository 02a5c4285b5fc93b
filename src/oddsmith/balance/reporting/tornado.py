"""A tornado shows what matters: for each figure the numbers that move it, the strongest on top."""

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from oddsmith.balance.sensitivity import Sensitivities
from oddsmith.balance.wording import shown
from oddsmith.figure import Unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_BARS: Final = 12
HALF_BAR: Final = 0.4
DOWN, UP = "#b4552d", "#2d6a8f"


def tornado_of(found: Sensitivities) -> "Figure":
    """Draw what nudges do to each figure, one chart below the other; matplotlib is loaded for it."""
    from matplotlib.figure import Figure  # noqa: PLC0415  heavy, and only needed here

    heights = [max(len(found.effects(place)[:MOST_BARS]), 1) for place in range(len(found.watched))]
    figure = Figure(figsize=(9, sum(0.32 * height + 1.3 for height in heights)), layout="constrained")
    axes = figure.subplots(len(heights), 1, squeeze=False, height_ratios=[height + 2 for height in heights])
    for place, axis in enumerate(axes[:, 0]):
        _draw(axis, found, place)
    return figure


def _draw(axis: "Axes", found: Sensitivities, place: int) -> None:
    watched, rows = found.watched[place], found.effects(place)[:MOST_BARS]
    factor = 100 if watched.unit is Unit.CHANCE else 1
    names = [f"{felt.nudge.key} = {felt.nudge.today}" for felt in rows]
    sides = (
        (-HALF_BAR / 2, [felt.down for felt in rows], DOWN, "a step down"),
        (HALF_BAR / 2, [felt.up for felt in rows], UP, "a step up"),
    )
    for shift, changes, colour, label in sides:
        widths = [float((change or Fraction(0)) * factor) for change in changes]
        axis.barh(
            [row + shift for row in range(len(rows))], widths, color=colour, label=label, height=HALF_BAR
        )
    axis.set_yticks(range(len(rows)), names)
    axis.invert_yaxis()
    axis.axvline(0, color="black", linewidth=0.8)
    axis.set_title(f"{watched.name}: {shown(watched.today, watched.unit)}", fontsize=10)
    axis.set_xlabel("percentage points" if factor > 1 else "change")
    for edge in ("top", "right", "left"):
        axis.spines[edge].set_visible(False)
    if rows and not place:
        axis.legend(frameon=False, fontsize=8)
