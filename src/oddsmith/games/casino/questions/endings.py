"""The question how the last deal of two players ends."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.errors import WorkLimitError
from oddsmith.game import Act, Seat
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.known import KnownTable
from oddsmith.games.casino.model import Move, MoveOutcome, State
from oddsmith.games.casino.moves import legal_moves
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.position import read_position
from oddsmith.games.casino.questions.fields import TableText, read_view
from oddsmith.games.casino.rules import Rules
from oddsmith.question import Context, Question, Request
from oddsmith.reply_paths import NO_FIGURE
from oddsmith.request_fields import option

if TYPE_CHECKING:
    from oddsmith.games.casino.compiled import Core

MOST_NODES: Final = 10_000_000
MOST_SOLVED: Final = 500
"""Moves that a server plays out to the end for one request."""
NODES_SERVED: Final = 1_000_000
"""Tables that a server looks at meanwhile with compiled code."""
PLAIN_NODES: Final = 100_000
"""Likewise where nothing is compiled."""


class SolveRequest(Request, frozen=True, kw_only=True):
    """A whole `table` as text, or the `view` of a player, who knows both hands; and how many tables may be looked at."""

    table: TableText = None
    view: KnownTable | None = None
    nodes: Annotated[
        int, Meta(ge=1, le=MOST_NODES), option("How many tables it may look at.", metavar="NUMBER")
    ] = 1_000_000


class SolvedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its notation, its outcome when both play their best after it, and the line as it is written."""

    text: str
    words: str
    outcome: MoveOutcome
    line: tuple[str, ...]


class SolveReply(msgspec.Struct, frozen=True, kw_only=True):
    """Every move of the last deal with its exact outcome, the best first.

    `best` is how many of them are best; `nodes` is how many tables were looked at.
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
        nodes = min(nodes, most_tables(core))
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
                line=tuple(_written_line(one.line, state)),
            )
            for one in solution.outcomes
        ),
    )


def _written_line(line: Sequence[Move], state: State) -> Iterator[str]:
    for move in line:
        yield write_action(move, state)
        state = GAME.step(state, Act(state.turn, move)).state


def _read_state(request: SolveRequest, context: Context[Rules]) -> State:
    """Return the one table that a request can mean; a player's view of the last deal leaves nothing hidden."""
    from oddsmith.games.casino import endgame

    if request.table is not None and request.view is None:
        return read_position(request.table, context.rules)
    return endgame.known_state(read_view(request.table, request.view, context))


def _require_few_moves(state: State) -> None:
    moves = len(legal_moves(state))
    if moves > MOST_SOLVED:
        raise WorkLimitError(
            "too_many_moves",
            f"{moves:,} moves are more than the {MOST_SOLVED} that are played out while somebody waits; "
            "the command line takes its time",
        )


def most_tables(core: "Core") -> int:
    """Return how many tables a server looks at for one request."""
    return NODES_SERVED if core.is_compiled else PLAIN_NODES


SOLVE: Final = Question(
    name="solve",
    request=SolveRequest,
    reply=SolveReply,
    answer=solve_ending,
    example="oddsmith casino solve ending.toml",
    command_values={"rules": "default"},
)
