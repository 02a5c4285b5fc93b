"""Exact answers about a table of Casino: what the player on turn knows, and how the last deal ends."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final

import msgspec

from oddsmith.cards import Card
from oddsmith.cli.casino.show import head_lines
from oddsmith.cli.casino.words import card_row, counted, kind_words, signed
from oddsmith.cli.console import columns, console, percent, plain, print_json
from oddsmith.errors import IllegalMove, Refusal, WorkLimitError
from oddsmith.game import Act, Seat
from oddsmith.games.casino import endgame
from oddsmith.games.casino.bridge import in_order
from oddsmith.games.casino.endgame import MoveOutcome
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.kernel import MOST_VALUE
from oddsmith.games.casino.model import Move, State
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.odds import Exposure, Taking, exposures, holding_odds, table_odds
from oddsmith.games.casino.position import read_position_file
from oddsmith.games.casino.views import View, unseen_cards

__all__ = ["CasinoOddsReply", "SolveReply", "odds", "solve"]

RESULTS: Final = {Fraction(1): "wins", Fraction(1, 2): "shares", Fraction(0): "loses"}


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """The chances that a seat holds a card of a value, for the values from 1 to 10."""

    seat: Seat
    hand_size: int
    chances: tuple[Fraction, ...]


class ItemOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A loose card or a build, as moves name it, and the chances that it can be taken as the table lies."""

    text: str
    taking: Taking


class MoveOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in the canonical order, its notation, and what the next player can do after it."""

    number: int
    text: str
    words: str
    exposure: Exposure


class CasinoOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino odds`: what the player on turn knows, every chance exact.

    `uncounted` says why `moves` is empty where there are too many to judge; else it is null.
    """

    rules_id: str
    seat: Seat
    deal: int
    hand: tuple[Card, ...]
    unseen: tuple[Card, ...]
    holding: tuple[Holding, ...]
    table: tuple[ItemOdds, ...]
    moves: tuple[MoveOdds, ...]
    uncounted: Refusal | None


class SolvedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its notation, its outcome when both play their best after it, and the line as it is written."""

    text: str
    words: str
    outcome: MoveOutcome
    line: tuple[str, ...]


class SolveReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino solve`: every move of the last deal with its exact outcome, the best first.

    `best` is how many of them are best; `nodes` is how many tables were looked at.
    """

    rules_id: str
    seat: Seat
    deal: int
    best: int
    nodes: int
    moves: tuple[SolvedMove, ...]


# --- what the player on turn knows -----------------------------------------------------------------------------------


def odds(file: Path, *, as_json: bool) -> None:
    """Tell who may hold what, what can be taken, and what each move exposes."""
    state = read_position_file(file)
    _require_turn(state)
    view = GAME.view(state, state.turn)
    reply = _odds_reply(state, view)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(odds_lines(reply, view)))


def _require_turn(state: State) -> None:
    if not state.is_dealt:
        over = "the game is over" if state.is_over else "cards are to be dealt first"
        raise IllegalMove("no_move_due", f"nobody is to move at this table: {over}", paragraph="1.4")


def _odds_reply(state: State, view: View) -> CasinoOddsReply:
    uncounted: Refusal | None = None
    told: tuple[Exposure, ...] = ()
    try:
        told = exposures(view)
    except WorkLimitError as error:
        uncounted = error.refusal
    return CasinoOddsReply(
        rules_id=state.rules.rules_id,
        seat=state.turn,
        deal=state.deal,
        hand=state.hands[state.turn],
        unseen=in_order(unseen_cards(view)),
        holding=tuple(
            Holding(seat=seat, hand_size=view.hand_sizes[seat], chances=tuple(chances.values()))
            for seat, chances in holding_odds(view).items()
            if seat != view.viewer
        ),
        table=tuple(ItemOdds(text=_item_text(taking, view), taking=taking) for taking in table_odds(view)),
        moves=tuple(
            MoveOdds(
                number=number,
                text=write_action(exposure.move, state),
                words=kind_words(exposure.move),
                exposure=exposure,
            )
            for number, exposure in enumerate(told, 1)
        ),
        uncounted=uncounted,
    )


def _item_text(taking: Taking, view: View) -> str:
    built = [f"[{''.join(map(str, view.builds[place].cards))}]" for place in taking.builds]
    return "".join((*map(str, taking.loose), *built))


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
    solution = endgame.solve(state, most_nodes=most_nodes)
    reply = SolveReply(
        rules_id=state.rules.rules_id,
        seat=solution.seat,
        deal=state.deal,
        best=len(solution.best),
        nodes=solution.nodes,
        moves=tuple(
            SolvedMove(
                text=write_action(one.move, state),
                words=kind_words(one.move),
                outcome=one,
                line=tuple(_written_line(one.line, state)),
            )
            for one in solution.outcomes
        ),
    )
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(solve_lines(reply, state)))


def _written_line(line: Sequence[Move], state: State) -> Iterator[str]:
    for move in line:
        yield write_action(move, state)
        state = GAME.step(state, Act(state.turn, move)).state


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
