"""Bots play tournaments of Casino through the engine that people play on, every deal once for each way to sit.

Deal number n of a seed is always the same deal: it does not matter how many are played, or by how many workers.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from functools import lru_cache, reduce
from itertools import cycle, islice
from operator import add
from typing import Final, TypeAlias

import msgspec

from oddsmith.bot import BotSettings, Chooser
from oddsmith.chance import Seeded, System
from oddsmith.driver import play
from oddsmith.errors import InputError
from oddsmith.games.casino.bot_list import find_bot
from oddsmith.games.casino.engine import GAME
from oddsmith.games.casino.model import Ended, Move, Moved, MoveKind, Score
from oddsmith.games.casino.rules import DEFAULT, FEWEST_SEATS, MOST_SEATS, Rules
from oddsmith.games.casino.scoring import winning_seats
from oddsmith.games.casino.simulation.tournament_report import GameEnd, TournamentReport
from oddsmith.games.casino.views import View
from oddsmith.worker_pool import ChangingLuck, in_batches

__all__ = ["MOST_GAMES", "Player", "entrants", "play_deal", "play_tournament"]

MOST_GAMES: Final = 1_000_000
FEWEST_DEALS: Final = 2
BATCH: Final = 2
"""How many deals a worker plays between two reports."""

Player: TypeAlias = tuple[Chooser[View, Move], ChangingLuck]


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
    """Let two to four bots play at least so many games, and count what each of them and each seat makes of them.

    Every deal is played as often as there are players, each time with everybody one seat further. `iterations` and
    `seconds` are the budget of a bot that searches, for each move; with seconds, no tournament is like another.
    `progress` hears which share is over. More than one worker means processes of their own, which load the calling
    program anew: it must keep its own work under `if __name__ == "__main__"`.

    >>> report = play_tournament(["greedy", "random"], 8, seed="yuma")
    >>> report.deals, report.games, report.entrant(0).share.mean + report.entrant(1).share.mean
    (4, 8, 1.0)
    """
    team = Team(tuple(bots), rules, seed, iterations, seconds)
    team.make_ready()
    deals = -(-games // len(bots))
    if deals < FEWEST_DEALS or games > MOST_GAMES:
        least = (FEWEST_DEALS - 1) * len(bots) + 1
        raise InputError(
            "bad_games", f"a tournament of {len(bots)} has from {least} to {MOST_GAMES:,} games, not {games}"
        )
    done: list[TournamentReport] = []
    with closing(in_batches(team.play_batch, deals, BATCH, workers)) as played:
        for batch in played:
            done.append(batch)
            if progress is not None:
                progress(sum(report.deals for report in done) / deals)
    return reduce(add, done)


def entrants(bots: Sequence[str], players: int | None = None) -> tuple[str, ...]:
    """Return who sits down at a table of so many: the bots in turn, again and again.

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


class Team(msgspec.Struct, frozen=True):
    """Who plays by which rules, from which seed, and how long each may think."""

    bots: tuple[str, ...]
    rules: Rules
    seed: str | int
    iterations: int | None
    seconds: float | None

    def make_ready(self) -> None:
        """Refuse bots, budgets or a seed that there are not, before any worker starts."""
        GAME.setup(self.rules, len(self.bots))
        _players(self)
        Seeded(self.seed)

    def play_batch(self, numbers: Iterable[int]) -> TournamentReport:
        """Play the deals of these numbers, one after the other."""
        players = _players(self)
        return reduce(add, (play_deal(players, self.rules, f"{self.seed}/{number}") for number in numbers))


def play_deal(players: Sequence[Player], rules: Rules, seed: str) -> TournamentReport:
    """Play one deal with everybody on every seat; each player is a chooser and the luck that it draws from."""
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
def _players(team: Team) -> tuple[Player, ...]:
    """Return the bots of a team, each with luck of its own."""
    return tuple(_player(name, team) for name in team.bots)


def _player(name: str, team: Team) -> Player:
    luck = ChangingLuck(System())
    settings = BotSettings(draw=luck, iterations=team.iterations, seconds=team.seconds)
    return find_bot(name).make(team.rules, settings), luck
