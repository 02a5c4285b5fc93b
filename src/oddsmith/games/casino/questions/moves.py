"""The question `moves`: the legal moves of a table, their immediate gains, and estimates of a search."""

from collections.abc import Callable
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.cards import Card, without
from oddsmith.chance import Seeded
from oddsmith.errors import InputError, WorkLimitError, nearest
from oddsmith.game import Seat
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Cards, Move, MoveKind, SeatNumber, State, in_order
from oddsmith.games.casino.notation import write_action
from oddsmith.games.casino.questions.fields import (
    DEFAULT_SEED,
    TableText,
    choose_seed,
    limit_time,
    read_table,
    require_few_loose,
    table_count_error,
)
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import Gain, gain
from oddsmith.games.casino.table_input import (
    LARGEST_HAND,
    GivenBuilds,
    make_builds,
    require_playable,
)
from oddsmith.games.casino.views import View
from oddsmith.question import Context, Question, Request, option
from oddsmith.reply_figures import NO_FIGURE

ESTIMATE_ITERATIONS: Final = 2_000
MOST_ITERATIONS: Final = 10_000_000
MOST_ITERATIONS_SERVED: Final = 2_000
"""The most simulated games of a search on a server."""


class MovesRequest(Request, frozen=True, kw_only=True):
    """A whole `table` as text, or the hand of the seat on turn, the loose cards and the builds.

    Without a `table`, other players' cards do not matter; in the last deal the stock is empty. `estimate` or `iterations`
    request a search, which needs the `table`.
    """

    table: TableText = None
    hand: Annotated[tuple[Card, ...], Meta(min_length=1, max_length=LARGEST_HAND)] | None = None
    loose: Cards = ()
    builds: GivenBuilds = ()
    seat: SeatNumber = 0
    players: Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)] = FEWEST_SEATS
    deal: Annotated[int, Meta(ge=1, le=10)] = 1
    last_deal: bool = False
    kind: Annotated[str | None, option("Only these: capture, build, extend, trail …", metavar="KIND")] = None
    estimate: Annotated[bool, option("Add what the search bot expects of each.")] = False
    iterations: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_ITERATIONS)] | None,
        option("Games to estimate with: 2000 where only --estimate is given.", metavar="NUMBER"),
    ] = None


class MoveEstimate(msgspec.Struct, frozen=True, kw_only=True):
    """The estimate of a search: the mean share of the win of a move, over its number of visits."""

    share: float
    visits: int


class ListedMove(msgspec.Struct, frozen=True, kw_only=True):
    """A legal move: its number in canonical order, its notation, and its immediate gain."""

    number: Annotated[int, NO_FIGURE]
    text: str
    words: str
    move: Annotated[Move, NO_FIGURE]
    gain: Gain
    estimate: Annotated[MoveEstimate | None, NO_FIGURE]


class MovesReply(msgspec.Struct, frozen=True, kw_only=True):
    """The legal moves of the seat on turn, in canonical order.

    `legal` is the number of all of them, `moves` are those of the requested kind. `estimate` is null without a search, and
    for a move that the search never tried.
    """

    rules_id: str
    seat: Annotated[Seat, NO_FIGURE]
    deal: Annotated[int, NO_FIGURE]
    hand: tuple[Card, ...]
    legal: int
    iterations: Annotated[int | None, NO_FIGURE]
    seed: str | None
    moves: tuple[ListedMove, ...]


def list_moves(request: MovesRequest, context: Context[Rules]) -> MovesReply:
    """List every legal move of a position, with its immediate gain.

    >>> from oddsmith.cards import cards
    >>> request = MovesRequest(hand=cards("7♠ 2♦"), loose=cards("3♠ 4♥"))
    >>> [listed.text for listed in list_moves(request, Context(rules=Rules())).moves][:2]
    ['7♠x3♠+4♥', '2♦+3♠=5']
    """
    kind = None if request.kind is None else _read_kind(request.kind)
    state = _read_state(request, context)
    moves, view = GAME.actions(state, state.turn), GAME.view(state, state.turn)
    iterations = request.iterations or (ESTIMATE_ITERATIONS if request.estimate else None)
    estimates, seed = {}, None
    if iterations is not None:
        _require_searchable(request, iterations, context)
        seed = choose_seed(context)
        with context.progress("searching") as report:
            estimates = estimate_moves(view, iterations, seed, limit_time(report, context, "this search"))
    return MovesReply(
        rules_id=state.rules.rules_id,
        seat=state.turn,
        deal=state.deal,
        hand=state.hands[state.turn],
        legal=len(moves),
        iterations=iterations,
        seed=seed,
        moves=tuple(
            ListedMove(
                number=number,
                text=write_action(move, state),
                words=move.words,
                move=move,
                gain=gain(move, view),
                estimate=estimates.get(move),
            )
            for number, move in enumerate(moves, 1)
            if kind in (None, move.kind)
        ),
    )


def _read_kind(given: str) -> MoveKind:
    """Return a kind of move; its words may be separated by hyphens or spaces."""
    name = given.strip().lower().replace("-", "_").replace(" ", "_")
    if name not in [*MoveKind]:
        raise InputError(
            "unknown_kind", f"unknown kind of move '{given[:40]}'{nearest(name[:40], [*MoveKind])}"
        )
    return MoveKind(name)


def _read_state(request: MovesRequest, context: Context[Rules]) -> State:
    """Return the table of a request."""
    if (request.table is None) == (request.hand is None):
        raise table_count_error()
    return make_table(request, context) if request.table is None else read_table(request.table, context)


def make_table(request: MovesRequest, context: Context[Rules]) -> State:
    """Return a state with the hand, loose cards and builds of a request; all other cards are in the stock, or nowhere."""
    rules, hand = context.rules, request.hand or ()
    built = (card for build in request.builds for card in build.cards)
    seen = require_playable((*hand, *request.loose, *built), rules)
    if context.is_limited:
        require_few_loose(request.loose)
    if request.seat >= request.players:
        raise InputError(
            "bad_seats", f"seats are 0 to {request.players - 1}, not {request.seat}", where="seat"
        )
    return State(
        rules=rules,
        hands=tuple(in_order(hand) if seat == request.seat else () for seat in range(request.players)),
        loose=in_order(request.loose),
        builds=make_builds(request.builds, rules, players=request.players),
        piles=((),) * request.players,
        sweeps=(0,) * request.players,
        stock=() if request.last_deal else without(rules.cards, seen),
        turn=request.seat,
        deal=request.deal,
    )


def _require_searchable(request: MovesRequest, iterations: int, context: Context[Rules]) -> None:
    if request.table is None:
        raise InputError(
            "no_table", "a search needs the whole table: give `table`, the text of a position", where="table"
        )
    if context.is_limited and iterations > MOST_ITERATIONS_SERVED:
        raise WorkLimitError(
            "too_many_iterations",
            f"a server simulates at most {MOST_ITERATIONS_SERVED:,} games; the command line has no such limit",
            where="iterations",
        )


def estimate_moves(
    view: View, iterations: int, seed: str, report: Callable[[float], None]
) -> dict[Move, MoveEstimate]:
    """Return the search's estimate of every legal move of the viewer that it tried."""
    from oddsmith.games.casino.bots.search import SearchBot

    bot = SearchBot(Seeded(seed), iterations=iterations, progress=report)
    return {one.move: MoveEstimate(share=one.share, visits=one.visits) for one in bot.estimates(view)}


MOVES: Final = Question(
    name="moves",
    request=MovesRequest,
    reply=MovesReply,
    answer=list_moves,
    example="oddsmith casino moves table.toml --kind capture --estimate",
    draws=True,
    default_seed=DEFAULT_SEED,
    command_values={"rules": "default"},
)
