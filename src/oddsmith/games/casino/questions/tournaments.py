"""How bots fare against each other at Casino: counted on the engine, told with errors."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from oddsmith.cli.casino.words import signed
from oddsmith.cli.terminal.console import console, print_json, progress_bar
from oddsmith.games.casino.bots.search import ITERATIONS
from oddsmith.games.casino.model import MoveKind
from oddsmith.games.casino.rules import Rules
from oddsmith.games.casino.simulation.tournament import entrants, play_tournament
from oddsmith.games.casino.simulation.tournament_report import Counted, PerGame, TournamentReport
from oddsmith.text import columns, plain

__all__ = ["Asked", "BotResult", "Mean", "SeatResult", "TournamentReply", "answer", "tournament_lines"]

SEARCH: Final = "search"


class Mean(msgspec.Struct, frozen=True, kw_only=True):
    """A mean for each game, `error` being half of a 95 % interval; a deal, in all its games, is one observation."""

    mean: float
    error: float


class BotResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a bot made of its games: its share of the victory, its points, and its lead over the best other."""

    bot: str
    share: Mean
    points: Mean
    lead: Mean


class SeatResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat made of the games, whoever sat there; seat 0 leads the first deal."""

    seat: int
    share: Mean
    points: Mean
    lead: Mean


class TournamentReply(msgspec.Struct, frozen=True, kw_only=True):
    """`oddsmith casino tournament`: how bots fared in `games` games: `deals` deals, each with everybody on every seat.

    `iterations` and `seconds` are what a search was given for each move, null where nothing was said. `sweeps` and
    `moves` are for each game, all players together.
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


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """Who plays how many games, and by which rules, as the command line gives it."""

    rules_file: str
    settings: Sequence[str]
    bots: Sequence[str]
    players: int | None
    games: int
    iterations: int | None
    seconds: float | None
    seed: str


def answer(asked: Asked, *, jobs: int, as_json: bool) -> None:
    """Let the bots play, and say how they fared."""
    rules = Rules.read(asked.rules_file).changed(asked.settings)
    names = entrants(asked.bots, asked.players)
    with progress_bar(f"playing {asked.games:,} games") as progress:
        report = play_tournament(
            names,
            asked.games,
            rules,
            asked.seed,
            iterations=asked.iterations,
            seconds=asked.seconds,
            workers=jobs,
            progress=progress,
        )
    reply = _summed_up(names, report, asked, rules)
    if as_json:
        print_json(reply)
    else:
        console().print("\n".join(tournament_lines(reply)))


def _summed_up(names: Sequence[str], report: TournamentReport, asked: Asked, rules: Rules) -> TournamentReply:
    numbers = range(report.players)
    return TournamentReply(
        rules_id=rules.rules_id,
        seed=asked.seed,
        players=report.players,
        deals=report.deals,
        games=report.games,
        iterations=asked.iterations,
        seconds=asked.seconds,
        bots=tuple(BotResult(bot=names[number], **_means(report.entrant(number))) for number in numbers),
        seats=tuple(SeatResult(seat=seat, **_means(report.seat(seat))) for seat in numbers),
        sweeps=_mean(report.sweeps),
        moves={kind: _mean(report.moves(kind)) for kind in MoveKind},
    )


def _means(counted: Counted) -> dict[str, Mean]:
    return {"share": _mean(counted.share), "points": _mean(counted.points), "lead": _mean(counted.lead)}


def _mean(part: PerGame) -> Mean:
    return Mean(mean=part.mean, error=part.error)


def tournament_lines(reply: TournamentReply) -> Iterator[str]:
    """Show what each bot and each seat made of the games, and which moves were made."""
    yield from _headed("bot", [(one.bot, one) for one in reply.bots])
    yield ""
    yield from _headed("seat", [(str(one.seat), one) for one in reply.seats])
    yield ""
    made = [(kind.words, one) for kind, one in reply.moves.items() if one.mean]
    yield from _listed([("in a game", "", "±"), *(_row(*row) for row in (*made, ("sweep", reply.sweeps)))])
    yield ""
    budget = _budget_words(reply) if any(one.bot == SEARCH for one in reply.bots) else ""
    yield (
        f"{reply.games:,} games: {reply.deals:,} deals, each with everybody on every seat{budget}, "
        f"seed {plain(reply.seed)}; ± at 95 %, a deal being one observation"
    )


def _headed(what: str, rows: Sequence[tuple[str, BotResult | SeatResult]]) -> Iterator[str]:
    heads = (what, "won %", "±", "points", "±", "lead", "±")
    yield from _listed([heads, *((name, *_cells(one)) for name, one in rows)])


def _listed(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    head, *lines = columns(rows)
    yield f"[bold]{head}[/]"
    yield from lines


def _row(name: str, one: Mean) -> tuple[str, ...]:
    return name, f"{one.mean:.2f}", f"{one.error:.2f}"


def _cells(one: BotResult | SeatResult) -> tuple[str, ...]:
    return (
        f"{100 * one.share.mean:.1f}",
        f"{100 * one.share.error:.1f}",
        f"{one.points.mean:.2f}",
        f"{one.points.error:.2f}",
        signed(one.lead.mean, 2),
        f"{one.lead.error:.2f}",
    )


def _budget_words(reply: TournamentReply) -> str:
    """Say how long a search could look ahead."""
    given = [f"{reply.iterations:,} iterations"] if reply.iterations else []
    if reply.seconds:
        given.append(f"{reply.seconds:g} s")
    return f", search with {' or '.join(given) or f'{ITERATIONS:,} iterations'} a move"
