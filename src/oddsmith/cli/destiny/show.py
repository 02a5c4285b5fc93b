"""How the Destiny Deck's answers look in a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from oddsmith.cards import Card, Suit
from oddsmith.games.destiny.model import Degree, Score
from oddsmith.games.destiny.outcomes import Target
from oddsmith.games.destiny.scoring import NOTHING
from oddsmith.points import Points
from oddsmith.text import bars, percent, plain, whole

if TYPE_CHECKING:
    from oddsmith.cli.destiny.replies import OddsReply
    from oddsmith.games.destiny.odds import Totals

__all__ = [
    "DEGREE_STYLES",
    "bonus_line",
    "card_row",
    "odds_lines",
    "score_lines",
    "target_line",
    "total_bins",
]

RED_SUITS: Final = (Suit.HEARTS, Suit.DIAMONDS)
DEGREE_STYLES: Final[Mapping[Degree, str]] = {
    Degree.CRITICAL_SUCCESS: "bold green",
    Degree.SUCCESS: "green",
    Degree.FAILURE: "yellow",
    Degree.CRITICAL_FAILURE: "red",
}
MOST_BINS: Final = 24
BIN_WIDTHS: Final = (1, 2, 5, 10, 20, 25, 50)


def card_row(held: tuple[Card, ...], matched: tuple[Card, ...] = ()) -> str:
    """Write cards for a terminal: those that make the hand first and bold, high before low, red suits red."""
    return " ".join(
        f"[{'bold ' if card in matched else ''}{'red' if card.suit in RED_SUITS else 'default'}]{card}[/]"
        for card in sorted(held, key=lambda card: (card not in matched, -card.number))
    )


def target_line(target: Target) -> str:
    """Say what a check is made against."""
    parts = [f"threshold {target.threshold}"]
    parts += [f"{target.energy} energy"] if target.energy is not None else []
    parts += [plain(target.difficulty)] if target.difficulty else []
    name = f"[bold]{target.name}[/]: " if target.name else ""
    return name + ", ".join(parts)


def bonus_line(bonuses: Mapping[Suit, Points]) -> str:
    """Write the bonus in each suit that has one.

    >>> bonus_line({Suit.SPADES: Points("40.37"), Suit.HEARTS: Points(0), Suit.CLUBS: Points(-5)})
    '♠ 40.37  ♣ -5'
    """
    return "  ".join(f"{suit.symbol} {bonuses[suit]}" for suit in Suit if bonuses.get(suit)) or "none"


def score_lines(scored: Score) -> Iterator[str]:
    """Add a score up, line by line."""
    yield f"hand       {card_row(scored.hand, scored.matched)}   [bold]{scored.rank.words}[/]"
    yield f"base       {scored.base!s:>9}"
    for suit in Suit:
        count, bonus = scored.suit_counts[suit], scored.bonuses[suit]
        if count and bonus:
            yield f"suit       {bonus * count!s:>9}   {count} × {bonus} {suit.symbol}"
    for modifier in scored.sources:
        yield f"modifier   {modifier.points!s:>9}   {modifier.source}"
    floored = scored.base + scored.suit + scored.modifiers != scored.total
    yield f"[bold]total      {scored.total!s:>9}[/]{'   not below 0' if floored else ''}"


def odds_lines(reply: "OddsReply", drawn: "Totals") -> Iterator[str]:
    """Show the exact chance of each degree and the shape of the total."""
    yield f"{target_line(reply.target)}   bonuses {bonus_line(reply.bonuses)}"
    rows = [(degree.words, reply.degrees[degree], DEGREE_STYLES[degree]) for degree in Degree]
    yield from bars(rows, reply.total)
    yield f"[bold]succeeds {percent(reply.success_exact)} (exact: {whole(reply.success.count)} of {whole(reply.total)} hands)[/]"
    middle = reply.quantiles["0.5"]
    yield f"total: mean {float(reply.mean):.2f}, deviation {reply.deviation}, half of all draws reach {middle}"
    yield ""
    rows = [
        (f"{max(low, NOTHING)} –", count, "green" if low >= reply.target.threshold else "red")
        for low, count in total_bins(drawn, reply.target.threshold)
    ]
    yield from _without_gaps(rows, [*bars(rows, reply.total, align=">")])


def _without_gaps(rows: Sequence[tuple[str, int, str]], lines: Sequence[str]) -> Iterator[str]:
    """Leave out all but a sign of two or more bins in a row that nothing falls into."""
    for empty, group in groupby(zip(rows, lines, strict=True), key=lambda pair: pair[0][1] == 0):
        gap = [line for _, line in group]
        yield from ["…".rjust(len(rows[0][0]))] if empty and len(gap) > 1 else gap


def total_bins(drawn: "Totals", threshold: Points) -> list[tuple[Points, int]]:
    """Count totals in bins of a round width, one of which starts at the threshold."""
    values, counts = drawn.lattice.values, drawn.lattice.cumulative
    lowest, highest = int(values[0]), int(values[-1])
    width = next(
        size * 10**power * 100
        for power in range(9)
        for size in BIN_WIDTHS
        if (highest - lowest) // (size * 10**power * 100) < MOST_BINS
    )
    start = lowest - (lowest - threshold.hundredths) % width
    edges = range(start, highest + width + 1, width)
    below = [drawn.lattice.below(edge) for edge in edges]
    assert below[-1] == int(counts[-1])  # noqa: S101  every total lies in a bin
    return [
        (Points.of_hundredths(edge), later - earlier)
        for edge, earlier, later in zip(edges, below, below[1:], strict=False)
    ]
