"""Terminal lines of the question `odds` of any game."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final

from oddsmith.figure import Basis
from oddsmith.text import columns, escape_markup, format_percent

WAITS: Final = {
    "choice": "seat {seat} chooses",
    "others": "seat {seat} waits for others",
    "luck": "luck decides next",
    "over": "the game is over",
}
PLAY: Final = {"random": "at random", "greedy": "as greedy does", "best": "perfectly"}
BEST_MARK: Final = "best"


def odds_lines(request: object, reply: Any, rules: object) -> Iterator[str]:  # noqa: ANN401, ARG001  an `OddsReply`
    """Yield what the position waits for, how exact the odds are, and a row for each action."""
    basis = (
        "exact"
        if reply.basis is Basis.EXACT
        else f"estimated from {reply.games:,} games for each row, ± at 95 %"
    )
    waits = WAITS[reply.waits].format(seat=reply.seat)
    yield f"{waits}; then all seats play {PLAY[reply.play]}; {basis}"
    if reply.unfinished:
        yield f"{reply.unfinished:,} of these games did not end, and count as not won"
    rows = [
        (
            _name(row, reply.seat),
            f"wins {_format_chance(row)}",
            f"score {_format_score(row)}",
            BEST_MARK if row.is_best and len(reply.rows) > 1 else "",
        )
        for row in reply.rows
    ]
    yield from (f"  {line}" for line in columns(rows))


def _name(row: Any, seat: int) -> str:  # noqa: ANN401  an `ActionOdds`
    return f"seat {seat}" if row.line is None else escape_markup(row.line.partition(" ")[2] or row.line)


def _format_chance(row: Any) -> str:  # noqa: ANN401  as above
    return f"{format_percent(row.win)}{_format_error(100 * row.win_error)}"


def _format_score(row: Any) -> str:  # noqa: ANN401  as above
    return f"{_format_number(row.score)}{_format_error(row.score_error)}"


def _format_number(value: Fraction) -> str:
    return f"{value.numerator:+,}" if value.denominator == 1 and value else f"{float(value):+.3f}"


def _format_error(error: float) -> str:
    return f" ± {error:.2f}" if error else ""
