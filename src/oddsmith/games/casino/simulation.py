"""Tournaments of bots through the engine: every deal is played once for each seating, and counted exactly."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import lru_cache, reduce
from itertools import cycle, islice
from operator import add
from typing import Final, Self, TypeAlias

import msgspec

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Seeded, System
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.casino.bots import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Ended, Move, Moved, MoveKind, Score
from oddsmith.games.casino.rules import DEFAULT, FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import winning_seats
from oddsmith.games.casino.views import View
from oddsmith.worker_pool import ReplaceableDraw, run_batches

__all__ = [
    "MOST_GAMES",
    "GameEnd",
    "PerGame",
    "Player",
    "Share",
    "TournamentReport",
    "TournamentResult",
    "entrants",
    "play_deal",
    "play_tournament",
]

WHOLE: Final = 12
"""The value of a win; it can be divided by two, three and four."""
SWEEPS: Final = "sweeps"


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one game: players, points and winners by seat, and numbers of moves and sweeps.

    `entrants[seat]` is the number of the player on that seat.
    """

    entrants: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    moves: Mapping[MoveKind, int]
    sweeps: int

    def share(self, seat: int) -> int:
        """Return the seat's share of the win, in twelfths."""
        return WHOLE // len(self.winners) if seat in self.winners else 0

    def lead(self, seat: int) -> int:
        """Return the seat's points minus the most of any other seat."""
        return self.points[seat] - max(self.points[:seat] + self.points[seat + 1 :])


class PerGame(msgspec.Struct, frozen=True):
    """A mean per game, from sums over deals; `parts` is the number of units in a deal.

    >>> PerGame(Estimate(4, 26, 182), 2).mean
    3.25
    """

    deals: Estimate
    parts: int

    @property
    def mean(self) -> float:
        """The mean per game."""
        return self.deals.mean / self.parts

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the mean; every deal is one observation."""
        return self.deals.error / self.parts


class Share(PerGame, frozen=True):
    """A mean share of the win; where it is 0 or 1, the error is Wilson's, with each deal one case.

    >>> round(Share(Estimate(50, 1200, 28800), 24).error, 3)
    0.071
    """

    @property
    def error(self) -> float:
        """Half of the 95 % interval of the share."""
        if self.mean in (0, 1):
            return Proportion(self.deals.count, 0).error
        return self.deals.error / self.parts


class TournamentResult(msgspec.Struct, frozen=True):
    """Means of a player or a seat: its share of the win, its points, and its lead over the best other."""

    share: Share
    points: PerGame
    lead: PerGame


class TournamentReport(msgspec.Struct, frozen=True):
    """Sums over the deals of a tournament of `players` players; two reports can be added.

    >>> won = GameEnd(entrants=(0, 1), points=(7, 4), winners=(0,), moves={}, sweeps=2)
    >>> lost = GameEnd(entrants=(1, 0), points=(5, 6), winners=(1,), moves={}, sweeps=0)
    >>> report = TournamentReport.of([won, lost]) + TournamentReport.of([won, lost])
    >>> report.games, report.entrant(0).share.mean, report.entrant(0).lead.mean, report.seat(0).share.mean
    (4, 1.0, 2.0, 0.5)
    """

    players: int
    sums: Mapping[str, Estimate]

    @classmethod
    def of(cls, games: Iterable[GameEnd]) -> Self:
        """Return the report of one deal, played once for each seating."""
        ends = tuple(games)
        sums = dict.fromkeys((SWEEPS, *MoveKind), 0)
        for end in ends:
            sums[SWEEPS] += end.sweeps
            for kind, count in end.moves.items():
                sums[kind] += count
            for seat, entrant in enumerate(end.entrants):
                for name in (f"entrant {entrant}", f"seat {seat}"):
                    for part, number in _result_numbers(end, seat).items():
                        sums[f"{name} {part}"] = sums.get(f"{name} {part}", 0) + number
        return cls(len(ends), {name: Estimate.of({total: 1}) for name, total in sums.items()})

    def __add__(self, other: "TournamentReport") -> "TournamentReport":
        return TournamentReport(
            self.players, {name: _add_estimates(sums, other.sums[name]) for name, sums in self.sums.items()}
        )

    @property
    def deals(self) -> int:
        """The number of deals."""
        return self.sums[SWEEPS].count

    @property
    def games(self) -> int:
        """The number of games: each deal once for each seating."""
        return self.deals * self.players

    @property
    def sweeps(self) -> PerGame:
        """The sweeps of all players."""
        return PerGame(self.sums[SWEEPS], self.players)

    def moves(self, kind: MoveKind) -> PerGame:
        """Return the moves of a kind, of all players."""
        return PerGame(self.sums[kind], self.players)

    def entrant(self, number: int) -> TournamentResult:
        """Return the result of the player of a number, from 0."""
        return self._result(f"entrant {number}")

    def seat(self, seat: int) -> TournamentResult:
        """Return the result of a seat over all players on it."""
        return self._result(f"seat {seat}")

    def _result(self, name: str) -> TournamentResult:
        return TournamentResult(
            share=Share(self.sums[f"{name} share"], self.players * WHOLE),
            points=PerGame(self.sums[f"{name} points"], self.players),
            lead=PerGame(self.sums[f"{name} lead"], self.players),
        )


def _result_numbers(end: GameEnd, seat: int) -> dict[str, int]:
    return {"share": end.share(seat), "points": end.points[seat], "lead": end.lead(seat)}


def _add_estimates(one: Estimate, other: Estimate) -> Estimate:
    return Estimate(one.count + other.count, one.total + other.total, one.squares + other.squares)


MOST_GAMES: Final = 1_000_000
FEWEST_DEALS: Final = 2
BATCH: Final = 2
"""The number of deals in a worker's batch."""

Player: TypeAlias = tuple[Chooser[View, Move], ReplaceableDraw]


def play_tournament(
    bots: Sequence[str],
    games: int,
    rules: Rules = DEFAULT,
    seed: str | int = "oddsmith",
    *,
    iterations: int | None = None,
    seconds: float | None = None,
    workers: int = 1,
    progress: Callable[[float], None] | None = None,
) -> TournamentReport:
    """Play at least `games` games of two to four bots, and return the sums by bot and by seat.

    Every deal is played once for each rotation of the bots over the seats. `iterations` and `seconds` are the budget per
    move of a bot that searches; with `seconds`, results are not reproducible. `progress` is called with the share that is
    done. More than one worker means separate processes, which import the calling program: its own work must be under
    `if __name__ == "__main__"`. Raises `InputError` where a bot, a budget or the number of games is out of range.

    >>> report = play_tournament(["greedy", "random"], 8, seed="yuma")
    >>> report.deals, report.games, report.entrant(0).share.mean + report.entrant(1).share.mean
    (4, 8, 1.0)
    """
    tournament = TournamentSetup(tuple(bots), rules, seed, iterations, seconds)
    tournament.check()
    deals = -(-games // len(bots))
    if deals < FEWEST_DEALS or games > MOST_GAMES:
        least = (FEWEST_DEALS - 1) * len(bots) + 1
        raise InputError(
            "bad_games", f"a tournament of {len(bots)} has from {least} to {MOST_GAMES:,} games, not {games}"
        )
    done: list[TournamentReport] = []
    with closing(run_batches(tournament.play_batch, deals, BATCH, workers)) as played:
        for batch in played:
            done.append(batch)
            if progress is not None:
                progress(sum(report.deals for report in done) / deals)
    return reduce(add, done)


def entrants(bots: Sequence[str], players: int | None = None) -> tuple[str, ...]:
    """Return the bot of each of `players` seats: the given ones in turn, repeated.

    >>> entrants(["greedy", "search"], 3), entrants(["search"])
    (('greedy', 'search', 'greedy'), ('search', 'search'))
    """
    seats = max(len(bots), FEWEST_SEATS) if players is None else players
    if not 1 <= len(bots) <= seats or not FEWEST_SEATS <= seats <= MOST_SEATS:
        raise InputError(
            "bad_seats",
            f"a table of Casino has {FEWEST_SEATS} to {MOST_SEATS} seats, and at most one bot for each: "
            f"not {len(bots)} bots at {seats} seats",
        )
    return tuple(islice(cycle(bots), seats))


class TournamentSetup(msgspec.Struct, frozen=True):
    """The bots, rules, seed and search budget of a tournament; picklable for workers."""

    bots: tuple[str, ...]
    rules: Rules
    seed: str | int
    iterations: int | None
    seconds: float | None

    def check(self) -> None:
        """Raise `InputError` for unknown bots, and for budgets or a seed out of range."""
        GAME.setup(self.rules, len(self.bots))
        _players(self)
        Seeded(self.seed)

    def play_batch(self, numbers: Iterable[int]) -> TournamentReport:
        """Play the deals of these numbers, and return the sum of their reports."""
        players = _players(self)
        return reduce(add, (play_deal(players, self.rules, f"{self.seed}/{number}") for number in numbers))


def play_deal(players: Sequence[Player], rules: Rules, seed: str) -> TournamentReport:
    """Play one deal with every player on every seat; a player is a chooser and its source of draws."""
    count = len(players)
    seatings = (tuple((seat + turned) % count for seat in range(count)) for turned in range(count))
    return TournamentReport.of(_game(players, seated, rules, seed) for seated in seatings)


def _game(players: Sequence[Player], seated: tuple[int, ...], rules: Rules, seed: str) -> GameEnd:
    for seat, entrant in enumerate(seated):
        players[entrant][1].source = Seeded(f"{seed}/{entrant} at {seat}")
    moves: Counter[MoveKind] = Counter()
    scores: tuple[Score, ...] = ()
    choosers = [players[entrant][0] for entrant in seated]
    for ply in play(GAME, GAME.setup(rules, len(seated)), choosers, Seeded(seed)):
        for event in ply.events:
            if isinstance(event, Moved):
                moves[event.move.kind] += 1
            elif isinstance(event, Ended):
                scores = event.scores
    return GameEnd(
        entrants=seated,
        points=tuple(score.points for score in scores),
        winners=winning_seats(scores),
        moves=moves,
        sweeps=sum(score.sweeps for score in scores),
    )


@lru_cache(maxsize=1)
def _players(tournament: TournamentSetup) -> tuple[Player, ...]:
    """Return the bots of a tournament, each with its own source of draws."""
    return tuple(_player(name, tournament) for name in tournament.bots)


def _player(name: str, tournament: TournamentSetup) -> Player:
    luck = ReplaceableDraw(System())
    settings = BotSettings(draw=luck, iterations=tournament.iterations, seconds=tournament.seconds)
    return find_bot(name).make(tournament.rules, settings), luck
