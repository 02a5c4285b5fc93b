"""Questions about a table: exact chances from a view, and the solution of the last deal of two players."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card
from oddsmith.errors import InputError, Refusal, WorkLimitError
from oddsmith.game import Act, Seat
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Move, MoveOutcome, State, in_order
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.odds import (
    Chance,
    Exposure,
    NextDeal,
    TakingOdds,
    any_state,
    exposures,
    holding_odds,
    next_deal_odds,
    table_odds,
)
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.questions.fields import TableText, read_view
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.table_input import KnownTable
from oddsmith.games.casino.views import View, unseen_cards
from oddsmith.question import Context, Question, Request, option
from oddsmith.reply_figures import NO_FIGURE

if TYPE_CHECKING:
    from oddsmith.games.casino.compiler import Core


class OddsRequest(Request, frozen=True, kw_only=True):
    """A whole `table` as text, seen by the player on turn; or the `view` of a player or of a spectator."""

    table: TableText = None
    view: KnownTable | None = None


class Holding(msgspec.Struct, frozen=True, kw_only=True):
    """The chances that a seat holds a card of each value from 1 to 10."""

    seat: Annotated[Seat, NO_FIGURE]
    hand_size: Annotated[int, NO_FIGURE]
    chances: tuple[Chance, ...]


class ItemOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A loose card or a build in notation, and the chances that it can be captured."""

    text: str
    taking: TakingOdds


class MoveOdds(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in canonical order, its notation, and the chances of the next player after it."""

    number: Annotated[int, NO_FIGURE]
    text: str
    words: str
    exposure: Exposure


class CasinoOddsReply(msgspec.Struct, frozen=True, kw_only=True):
    """Exact chances from a view; `seat` is on turn.

    `holding` has every seat but the viewer's own. `next_deal` is null where the stock is empty. `moves` are those of
    the viewer, empty where another seat is on turn; `uncounted` is the reason where there are too many to compute, else
    null.
    """

    rules_id: str
    viewer: Annotated[Seat | None, NO_FIGURE]
    seat: Annotated[Seat, NO_FIGURE]
    deal: Annotated[int, NO_FIGURE]
    hand: tuple[Card, ...] | None
    unseen: tuple[Card, ...]
    holding: tuple[Holding, ...]
    next_deal: NextDeal | None
    table: tuple[ItemOdds, ...]
    moves: tuple[MoveOdds, ...]
    uncounted: Refusal | None


def prove_odds(request: OddsRequest, context: Context[Rules]) -> CasinoOddsReply:
    """Compute the odds of hidden cards, and what each move exposes.

    >>> from oddsmith.cards import cards
    >>> mine = KnownTable(viewer=0, hand=cards("6♠ 7♠ 2♦ 9♦"), hand_sizes=(4, 4), loose=cards("3♠ 4♥ 8♣ K♣"))
    >>> prove_odds(OddsRequest(view=mine), Context(rules=Rules())).holding[0].chances[6]
    Fraction(841, 3311)
    """
    view = read_view(request.table, request.view, context)
    state = any_state(view)
    if state.is_over:
        raise InputError("game_over", "the game is over: all cards are played", paragraph="5.2")
    exposed, uncounted = _find_exposures(view)
    return CasinoOddsReply(
        rules_id=view.rules.rules_id,
        viewer=view.viewer,
        seat=view.turn,
        deal=view.deal,
        hand=view.hand,
        unseen=in_order(unseen_cards(view)),
        holding=tuple(
            Holding(seat=seat, hand_size=view.hand_sizes[seat], chances=tuple(chances.values()))
            for seat, chances in holding_odds(view).items()
            if seat != view.viewer
        ),
        next_deal=next_deal_odds(view),
        table=tuple(ItemOdds(text=_item_text(taking, view), taking=taking) for taking in table_odds(view)),
        moves=tuple(
            MoveOdds(
                number=number,
                text=write_action(exposure.move, state),
                words=exposure.move.words,
                exposure=exposure,
            )
            for number, exposure in enumerate(exposed, 1)
        ),
        uncounted=uncounted,
    )


def _find_exposures(view: View) -> tuple[tuple[Exposure, ...], Refusal | None]:
    """Return the exposures of the viewer's moves, or why they are not computed."""
    if view.viewer != view.turn or not view.hand:
        return (), None
    try:
        return exposures(view), None
    except WorkLimitError as error:
        return (), error.refusal


def _item_text(taking: TakingOdds, view: View) -> str:
    built = [f"[{''.join(map(str, view.builds[place].cards))}]" for place in taking.builds]
    return "".join((*map(str, taking.loose), *built))


ODDS: Final = Question(
    name="odds",
    request=OddsRequest,
    reply=CasinoOddsReply,
    answer=prove_odds,
    example="oddsmith casino odds table.toml",
    command_values={"rules": "default"},
)


MOST_NODES: Final = 10_000_000
MOST_SOLVED: Final = 500
"""The most legal moves of a table that a server solves."""
NODES_SERVED: Final = 1_000_000
"""The most nodes of a server's search with compiled code."""
PLAIN_NODES: Final = 100_000
"""The most nodes of a server's search without a compiler."""


class SolveRequest(Request, frozen=True, kw_only=True):
    """A whole `table` as text, or the `view` of a player, who knows both hands; and the most nodes of the search."""

    table: TableText = None
    view: KnownTable | None = None
    nodes: Annotated[
        int, Meta(ge=1, le=MOST_NODES), option("How many positions it may search.", metavar="NUMBER")
    ] = 1_000_000


class SolvedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its notation, its outcome with best play of both sides, and the line in notation."""

    text: str
    words: str
    outcome: MoveOutcome
    line: tuple[str, ...]


class SolveReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every move of the last deal with its exact outcome, the best first.

    `best` is the number of best moves; `nodes` is the number of nodes of the search.
    """

    rules_id: str
    seat: Annotated[Seat, NO_FIGURE]
    deal: Annotated[int, NO_FIGURE]
    best: int
    nodes: int
    moves: tuple[SolvedMove, ...]


def solve_ending(request: SolveRequest, context: Context[Rules]) -> SolveReply:
    """Solve the last deal of two players, move by move."""
    from oddsmith.games.casino import endgame

    state = _read_state(request, context)
    endgame.require_last_deal(state)
    core = endgame.core_for(state)
    nodes = request.nodes
    if context.is_limited:
        _require_few_moves(state)
        nodes = min(nodes, most_served_nodes(core))
    solution = endgame.solve(state, most_nodes=nodes, core=core)
    return SolveReply(
        rules_id=state.rules.rules_id,
        seat=solution.seat,
        deal=state.deal,
        best=len(solution.best),
        nodes=solution.nodes,
        moves=tuple(
            SolvedMove(
                text=write_action(one.move, state),
                words=one.move.words,
                outcome=one,
                line=tuple(_line_notation(one.line, state)),
            )
            for one in solution.outcomes
        ),
    )


def _line_notation(line: Sequence[Move], state: State) -> Iterator[str]:
    for move in line:
        yield write_action(move, state)
        state = GAME.step(state, Act(state.turn, move)).state


def _read_state(request: SolveRequest, context: Context[Rules]) -> State:
    """Return the state of a request: its table, or the only state consistent with its view."""
    from oddsmith.games.casino import endgame

    if request.table is not None and request.view is None:
        return read_position(request.table, context.rules)
    return endgame.known_state(read_view(request.table, request.view, context))


def _require_few_moves(state: State) -> None:
    moves = len(legal_moves(state))
    if moves > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_moves",
            f"{moves:,} moves are more than the {MOST_SOLVED} that a server solves; "
            "the command line has no such limit",
        )


def most_served_nodes(core: "Core") -> int:
    """Return the most nodes of a server's search for one request."""
    return NODES_SERVED if core.is_compiled else PLAIN_NODES


SOLVE: Final = Question(
    name="solve",
    request=SolveRequest,
    reply=SolveReply,
    answer=solve_ending,
    example="oddsmith casino solve ending.toml",
    command_values={"rules": "default"},
)
