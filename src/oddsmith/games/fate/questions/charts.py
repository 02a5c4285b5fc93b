"""The chart of a check: its totals with its target."""

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from oddsmith.chart import Histogram, HistogramBar
from oddsmith.games.fate.known_decks import rules_in_force
from oddsmith.games.fate.rules import Rules
from oddsmith.games.fate.wording import draw_words
from oddsmith.text import percent

if TYPE_CHECKING:
    from oddsmith.games.fate.questions.checks import CheckOddsReply, CheckOddsRequest

MOST_TICKS: Final = 20


def draw_totals(request: "CheckOddsRequest", reply: "CheckOddsReply", rules: Rules) -> Histogram:
    """Return the exact distribution of a total, with its target where it has one."""
    target = reply.target
    heading = draw_words(reply.memory, reply.drawn, reply.modifier, rules_in_force(request, rules))
    result = f"mean total {float(reply.mean):.2f} (exact)"
    if target is not None and reply.success is not None:
        chance = Fraction(reply.success.count, reply.success.total)
        result = f"reaches {target} in {percent(chance)} (exact)"
    return Histogram(
        title=f"{heading}\n{result}",
        across="total",
        up="% of checks",
        bars=tuple(
            HistogramBar(total, 100 * ways / reply.total, target is None or total >= target)
            for total, ways in reply.totals
        ),
        width=1.0,
        is_centered=True,
        mark=None if target is None else target - 0.5,
        ticks=tuple(total for total, _ in reply.totals) if len(reply.totals) <= MOST_TICKS else (),
    )
