"""How answers about Casino look in a terminal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from oddsmith.cli.casino.words import card_row, counted, deals, gain_cells, table_lines
from oddsmith.games.casino.drafts.combos import ComboKind
from oddsmith.games.casino.views import View
from oddsmith.text import columns, plain, whole

if TYPE_CHECKING:
    from oddsmith.cli.casino.replies import ClassifyReply, ListedMove, MoveEstimate, MovesReply, PerftReply

__all__ = ["classify_lines", "estimate_cells", "head_lines", "moves_lines", "perft_lines", "position_lines"]


def classify_lines(reply: "ClassifyReply") -> Iterator[str]:
    """Tell a group's name, its total, and what can be done with it."""
    named = "no combo" if reply.kind is ComboKind.INVALID else reply.kind.replace("_", " ")
    yield f"{card_row(reply.cards)}   [bold]{named}[/], total {reply.total}"
    worth = f"yes, worth {reply.total}" if reply.can_build else "no"
    taking = card_row(reply.capturing_cards)
    yield f"build    {worth}"
    yield f"capture  {f'yes, with one of {taking}' if reply.can_capture else 'no card takes all of it'}"


def position_lines(view: View, plies: int, file: str) -> Iterator[str]:
    """Tell where a table was written to, and what lies on it."""
    yield f"[bold]{plain(file)}[/]  after {counted(plies, 'move')}: {_turn_words(view)}"
    yield from table_lines(view)


def _turn_words(view: View) -> str:
    turn = f"seat {view.turn} to move" if view.hand else "nobody to move"
    return f"{turn}, deal {view.deal} of {deals(view)}"


def head_lines(view: View, rules_id: str) -> Iterator[str]:
    """Tell who is to move, by which rules, and what lies on the table."""
    yield f"[bold]{_turn_words(view)}[/]   rules {rules_id[:12]}"
    yield from table_lines(view)


def moves_lines(reply: "MovesReply", view: View) -> Iterator[str]:
    """List moves with what they gain at once, and what the search expects of them."""
    yield from head_lines(view, reply.rules_id)
    yield ""
    if reply.moves:
        heads = ("  #  move", "", "points", "cards", "spades", "", *_estimate_heads(reply))
        head, *lines = columns([heads, *map(_move_row, reply.moves)])
        yield f"[dim]{head}[/]"
        yield from map(plain, lines)
    many = counted(reply.legal, "legal move")
    yield many if len(reply.moves) == reply.legal else f"{len(reply.moves)} of {many}"
    if reply.iterations is not None and reply.moves:
        yield (
            f"[dim]share: what the search expects to win, estimated from the visits beside it; "
            f"{counted(reply.iterations, 'iteration')}, seed {plain(reply.seed or '')}[/]"
        )


def _estimate_heads(reply: "MovesReply") -> tuple[str, ...]:
    return () if reply.iterations is None else ("share", "visits")


def _move_row(listed: "ListedMove") -> tuple[str, ...]:
    told = () if listed.estimate is None else estimate_cells(listed.estimate)
    return f"{listed.number:>3}  {listed.text}", listed.words, *gain_cells(listed.gain), *told


def estimate_cells(estimate: "MoveEstimate") -> tuple[str, str]:
    """Return what a search expects of a move, and from how many visits: never one without the other."""
    return f"{100 * estimate.share:.1f} %", f"{estimate.visits:,}"


def perft_lines(reply: "PerftReply", view: View) -> Iterator[str]:
    """Tell the first deal, the lines of each depth, and the last of them by first move."""
    yield f"[bold]{counted(reply.players, 'player')}[/]   rules {reply.rules_id[:12]}"
    yield from table_lines(view)
    yield ""
    if reply.divided is not None:
        rows = [(each.text, whole(each.lines)) for each in reply.divided]
        yield from map(plain, columns([("first move", f"of {reply.depth}"), *rows]))
        yield ""
    yield from columns(
        [("moves", "lines"), *((str(n), whole(lines)) for n, lines in enumerate(reply.lines, 1))]
    )
