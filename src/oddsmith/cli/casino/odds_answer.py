"""Exact answers about a table of Casino: what the player on turn knows, and how the last deal ends."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

from oddsmith.cli.casino.show import head_lines
from oddsmith.cli.casino.words import card_row, counted, signed
from oddsmith.cli.terminal.console import console, print_json
from oddsmith.errors import IllegalMove
from oddsmith.game import Seat
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import State
from oddsmith.games.casino.position import read_position_file
from oddsmith.games.casino.prospects import CasinoOddsReply, SolveReply, odds_reply, solve_reply
from oddsmith.games.casino.rules import MOST_VALUE
from oddsmith.games.casino.views import View
from oddsmith.text import columns, percent, plain

__all__ = ["CasinoOddsReply", "SolveReply", "odds", "solve"]

RESULTS: Final = {Fraction(1): "wins", Fraction(1, 2): "shares", Fraction(0): "loses"}


# --- what the player on turn knows -----------------------------------------------------------------------------------


def odds(file: Path, *, as_json: bool) -> None:
    """Tell who may hold what, what can be taken, and what each move exposes."""
    state = read_position_file(file)
    _require_turn(state)
    view = GAME.view(state, state.turn)
    reply = odds_reply(view)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(odds_lines(reply, view)))


def _require_turn(state: State) -> None:
    if not state.is_dealt:
        over = "the game is over" if state.is_over else "cards are to be dealt first"
        raise IllegalMove("no_move_due", f"nobody is to move at this table: {over}", paragraph="1.4")


def odds_lines(reply: CasinoOddsReply, view: View) -> Iterator[str]:
    """Show the table, and three lists of exact chances below it."""
    yield from head_lines(view, reply.rules_id)
    yield f"unseen  {len(reply.unseen)}: {card_row(reply.unseen)}"
    yield ""
    yield from _lines(
        ("worth", *(f"seat {one.seat} has one" for one in reply.holding)),
        [
            (f"{value:>5}", *(percent(one.chances[value - 1]) for one in reply.holding))
            for value in range(1, MOST_VALUE + 1)
        ],
    )
    if reply.table:
        yield ""
        yield from _item_lines(reply)
    yield ""
    yield from _exposure_lines(reply)
    yield "[dim]every chance is exact: all deals of the unseen cards are equally likely[/]"


def _lines(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns([heads, *rows])
    yield f"[dim]{head}[/]"
    yield from map(plain, lines)


def _item_lines(reply: CasinoOddsReply) -> Iterator[str]:
    """Show how likely each item of the table can be taken; by more than one seat only where more come."""
    seat = _who(reply.table[0].taking.seat)
    several = len(reply.holding) > 1
    rows = []
    for item in reply.table:
        one = item.taking
        chances = (one.one_card, one.two_cards, one.next_player, *([one.before_my_turn] if several else []))
        rows.append((item.text, *map(percent, chances)))
    anybody = ["anybody can"] if several else []
    yield from _lines(("as it lies", "by one card", "by two", f"{seat} can take it", *anybody), rows)


def _who(seat: Seat | None) -> str:
    return "nobody" if seat is None else f"seat {seat}"


def _exposure_lines(reply: CasinoOddsReply) -> Iterator[str]:
    if reply.uncounted is not None:
        yield f"[dim]after a move: not counted, since {plain(reply.uncounted.sentence)}[/]"
        return
    rows = [
        (
            f"{one.number:>3}  {one.text}",
            one.words,
            _who(one.exposure.seat),
            percent(one.exposure.capture),
            percent(one.exposure.sweep),
        )
        for one in reply.moves
    ]
    yield from _lines(("  #  move", "", "then", "can capture", "can sweep"), rows)


# --- how the last deal ends ------------------------------------------------------------------------------------------


def solve(file: Path, *, most_nodes: int, as_json: bool) -> None:
    """Tell every move of the last deal with its outcome, the best first."""
    state = read_position_file(file)
    reply = solve_reply(state, most_nodes=most_nodes)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(solve_lines(reply, state)))


def solve_lines(reply: SolveReply, state: State) -> Iterator[str]:
    """Show every move with what it comes to, and the line of best play."""
    yield from head_lines(GAME.view(state, state.turn), reply.rules_id)
    yield f"other   {card_row(state.hands[1 - state.turn])}"
    yield ""
    rows = [
        (
            one.text,
            one.words,
            RESULTS[one.outcome.share],
            signed(one.outcome.margin),
            "–".join(map(str, one.outcome.points)),
        )
        for one in reply.moves
    ]
    head, *lines = columns([("move", "", "result", "margin", "points"), *rows])
    yield f"[dim]{head}   best play[/]"
    for line, one in zip(lines, reply.moves, strict=True):
        yield f"{plain(line)}   {plain('  '.join(one.line))}"
    yield f"[dim]{counted(reply.best, 'best move')}, exact; points are seat 0's and seat 1's[/]"
