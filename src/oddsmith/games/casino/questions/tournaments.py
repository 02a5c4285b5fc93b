"""Questions about games between bots: tournament results with errors, and a position of such a game."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import msgspec
from msgspec import Meta

from oddsmith.bot import BotSettings
from oddsmith.chance import Seeded
from oddsmith.driver import play
from oddsmith.errors import WorkLimitError
from oddsmith.game import Act
from oddsmith.games.casino.bots import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import MoveKind, State
from oddsmith.games.casino.position import write_position
from oddsmith.games.casino.questions.fields import (
    DEFAULT_SEED,
    Players,
    choose_seed,
    limit_time,
    require_quick_bot,
)
from oddsmith.games.casino.questions.moves import MOST_ITERATIONS
from oddsmith.games.casino.rules import FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.question import Context, Question, Request, argument, option

if TYPE_CHECKING:
    from oddsmith.games.casino.simulation import PerGame, TournamentReport, TournamentResult


MOST_GAMES: Final = 1_000_000
MOST_SECONDS: Final = 3_600
MOST_JOBS: Final = 64
MOST_GAMES_SERVED: Final = 200
"""The most games of a tournament on a server."""


class TournamentRequest(Request, frozen=True, kw_only=True):
    """The bots, the number of games, the budget of a search per move, and the number of processes."""

    bots: Annotated[
        tuple[str, ...],
        argument("Who plays: random, greedy or search.", metavar="BOT…"),
        Meta(max_length=20),
    ]
    games: Annotated[
        int,
        option("How many, at least: deals are finished.", metavar="NUMBER"),
        Meta(ge=3, le=MOST_GAMES),
    ] = 200
    players: Annotated[
        Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)] | None,
        option("How many seats; the bots take them in turn.", metavar="NUMBER"),
    ] = None
    iterations: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_ITERATIONS)] | None,
        option("How many games a search plays before a move; 1000 by default.", metavar="NUMBER"),
    ] = None
    seconds: Annotated[
        Annotated[float, Meta(le=MOST_SECONDS)] | None,
        option("How long a search may take for a move.", metavar="SECONDS"),
    ] = None
    jobs: Annotated[int, option("How many processes play.", metavar="NUMBER"), Meta(ge=1, le=MOST_JOBS)] = 1


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean per game, and half of its 95 % interval; a deal with all its games is one observation."""

    mean: float
    error: float


class BotResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a bot: its share of the win, its points, and its lead over the best other."""

    bot: str
    share: Mean
    points: Mean
    lead: Mean


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a seat over all bots on it; seat 0 leads the first deal."""

    seat: int
    share: Mean
    points: Mean
    lead: Mean


class TournamentReply(msgspec.Struct, frozen=True, kw_only=True):
    """The results of `games` games: `deals` deals, each with every bot on every seat.

    `iterations` and `seconds` are the budget of a search per move, null where the request has none. `sweeps` and `moves`
    are means per game over all players.
    """

    rules_id: str
    seed: str
    players: int
    deals: int
    games: int
    iterations: int | None
    seconds: float | None
    bots: tuple[BotResult, ...]
    seats: tuple[SeatResult, ...]
    sweeps: Mean
    moves: Mapping[MoveKind, Mean]


def hold_tournament(request: TournamentRequest, context: Context[Rules]) -> TournamentReply:
    """Let bots play each other, each deal from every seat."""
    from oddsmith.games.casino.simulation import entrants, play_tournament

    names = entrants(request.bots, request.players)
    _require_quick(request, context)
    seed = choose_seed(context)
    with context.progress(f"playing {request.games:,} games") as report:
        played = play_tournament(
            names,
            request.games,
            context.rules,
            seed,
            iterations=request.iterations,
            seconds=request.seconds,
            workers=request.jobs,
            progress=limit_time(report, context, "this tournament"),
        )
    return _sum_up(names, played, request, seed, context.rules)


def _require_quick(request: TournamentRequest, context: Context[Rules]) -> None:
    """Raise `InputError` for unknown bots, and `WorkLimitError` for too much work on a server."""
    for name in request.bots:
        require_quick_bot(name, context)
    if context.is_limited and (request.games > MOST_GAMES_SERVED or request.jobs > 1):
        raise WorkLimitError(
            "too_many_games",
            f"a server plays at most {MOST_GAMES_SERVED} games, by one process; "
            "the command line has no such limit",
            where="games",
        )


def _sum_up(
    names: Sequence[str], report: "TournamentReport", request: TournamentRequest, seed: str, rules: Rules
) -> TournamentReply:
    numbers = range(report.players)
    return TournamentReply(
        rules_id=rules.rules_id,
        seed=seed,
        players=report.players,
        deals=report.deals,
        games=report.games,
        iterations=request.iterations,
        seconds=request.seconds,
        bots=tuple(BotResult(bot=names[number], **_means(report.entrant(number))) for number in numbers),
        seats=tuple(SeatResult(seat=seat, **_means(report.seat(seat))) for seat in numbers),
        sweeps=_mean(report.sweeps),
        moves={kind: _mean(report.moves(kind)) for kind in MoveKind},
    )


def _means(counted: "TournamentResult") -> dict[str, Mean]:
    return {"share": _mean(counted.share), "points": _mean(counted.points), "lead": _mean(counted.lead)}


def _mean(part: "PerGame") -> Mean:
    return Mean(mean=part.mean, error=part.error)


TOURNAMENT: Final = Question(
    name="tournament",
    request=TournamentRequest,
    reply=TournamentReply,
    answer=hold_tournament,
    example="oddsmith casino tournament greedy search --games 200 --iterations 300",
    draws=True,
    default_seed=DEFAULT_SEED,
    has_figures=False,
)


MOST_PLIES: Final = 52


class PositionRequest(Request, frozen=True, kw_only=True):
    """The bot of all seats, and the number of moves; deals are no moves."""

    plies: Annotated[
        int,
        option("How many moves are made; deals are none.", metavar="NUMBER"),
        Meta(ge=0, le=MOST_PLIES),
    ] = 10
    players: Players = 2
    bot: Annotated[str, option("The bot of every seat.", metavar="BOT")] = "random"


class PositionReply(msgspec.Struct, frozen=True, kw_only=True):
    """A position of a game between bots, as text that other questions read.

    `plies` is the number of moves: fewer than requested where the game was over.
    """

    rules_id: str
    seed: str
    plies: int
    state: State
    toml: str


def make_position(request: PositionRequest, context: Context[Rules]) -> PositionReply:
    """Write a position of a game between bots, to analyse."""
    require_quick_bot(request.bot, context)
    seed = choose_seed(context)
    state, plies = _play(request, seed, context)
    return PositionReply(
        rules_id=context.rules.rules_id, seed=seed, plies=plies, state=state, toml=write_position(state)
    )


def _play(request: PositionRequest, seed: str, context: Context[Rules]) -> tuple[State, int]:
    """Return the state after the requested moves, with a seat on turn, or the end; and the number of moves."""
    luck, bot = Seeded(seed), find_bot(request.bot)
    bots = [bot.make(context.rules, BotSettings(draw=luck, seat=seat)) for seat in range(request.players)]
    state, made = GAME.setup(context.rules, request.players), 0
    with context.progress(f"{request.bot} plays") as report:
        for ply in play(GAME, state, bots, luck):
            if made == request.plies and isinstance(ply.move, Act):
                break
            state, made = ply.after, made + isinstance(ply.move, Act)
            report(made / max(request.plies, 1))
    return state, made


POSITION: Final = Question(
    name="position",
    request=PositionRequest,
    reply=PositionReply,
    answer=make_position,
    example="oddsmith casino position --seed 3 --plies 10 --out table.toml",
    draws=True,
    default_seed=DEFAULT_SEED,
    new_file="toml",
    has_figures=False,
)
