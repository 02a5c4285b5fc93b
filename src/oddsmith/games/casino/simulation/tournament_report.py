"""A report adds up tournaments of Casino deal by deal; nothing in it is rounded.

A deal is played once for each way in which the players can sit around the table, so that luck cancels: those games hang
together, and all of them are one observation.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Self

import msgspec

from oddsmith.estimate import Estimate, Proportion
from oddsmith.games.casino.model import MoveKind

WHOLE: Final = 12
"""A victory that two, three or four seats can share in whole parts."""
SWEEPS: Final = "sweeps"


class GameEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What counts of one game: who sat where, what each seat made of it, and how it came about.

    `entrants[seat]` is the number of the player who sat there.
    """

    entrants: tuple[int, ...]
    points: tuple[int, ...]
    winners: tuple[int, ...]
    moves: Mapping[MoveKind, int]
    sweeps: int

    def share(self, seat: int) -> int:
        """Return the seat's part of the victory, in twelfths."""
        return WHOLE // len(self.winners) if seat in self.winners else 0

    def lead(self, seat: int) -> int:
        """Return the seat's points less the most that another has."""
        return self.points[seat] - max(self.points[:seat] + self.points[seat + 1 :])


class PerGame(msgspec.Struct, frozen=True):
    """A mean for each game, from sums over whole deals; `parts` is how many of its units a deal has.

    >>> PerGame(Estimate(4, 26, 182), 2).mean
    3.25
    """

    deals: Estimate
    parts: int

    @property
    def mean(self) -> float:
        """The mean of a game."""
        return self.deals.mean / self.parts

    @property
    def error(self) -> float:
        """How far the true mean may be from this one, at 95 %, every deal being one observation."""
        return self.deals.error / self.parts


class Share(PerGame, frozen=True):
    """A share of the victory; where all of it or nothing was won, the error is Wilson's, with each deal one case.

    >>> round(Share(Estimate(50, 1200, 28800), 24).error, 3)
    0.071
    """

    @property
    def error(self) -> float:
        """How far the true share may be from this one, at 95 %."""
        if self.mean in (0, 1):
            return Proportion(self.deals.count, 0).error
        return self.deals.error / self.parts


class Counted(msgspec.Struct, frozen=True):
    """What a player, or a seat, made of its games: its share of the victory, its points, and its lead over the best other."""

    share: Share
    points: PerGame
    lead: PerGame


class TournamentReport(msgspec.Struct, frozen=True):
    """What was counted in so many deals at a table of so many players; two reports can be added.

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
        """Return the report of one deal, played once for each way to sit."""
        ends = tuple(games)
        sums = dict.fromkeys((SWEEPS, *MoveKind), 0)
        for end in ends:
            sums[SWEEPS] += end.sweeps
            for kind, count in end.moves.items():
                sums[kind] += count
            for seat, entrant in enumerate(end.entrants):
                for who in (f"entrant {entrant}", f"seat {seat}"):
                    for what, number in _made(end, seat).items():
                        sums[f"{who} {what}"] = sums.get(f"{who} {what}", 0) + number
        return cls(len(ends), {name: Estimate.of({total: 1}) for name, total in sums.items()})

    def __add__(self, other: "TournamentReport") -> "TournamentReport":
        return TournamentReport(
            self.players, {name: _both(sums, other.sums[name]) for name, sums in self.sums.items()}
        )

    @property
    def deals(self) -> int:
        """How many deals were played."""
        return self.sums[SWEEPS].count

    @property
    def games(self) -> int:
        """How many games were played: each deal once for each way to sit."""
        return self.deals * self.players

    @property
    def sweeps(self) -> PerGame:
        """How often the table was swept, by any player."""
        return PerGame(self.sums[SWEEPS], self.players)

    def moves(self, kind: MoveKind) -> PerGame:
        """Return how many moves of a kind there were, by any player."""
        return PerGame(self.sums[kind], self.players)

    def entrant(self, number: int) -> Counted:
        """Return what the player of that number made of the games, from 0."""
        return self._counted(f"entrant {number}")

    def seat(self, seat: int) -> Counted:
        """Return what whoever sat there made of the games."""
        return self._counted(f"seat {seat}")

    def _counted(self, who: str) -> Counted:
        return Counted(
            share=Share(self.sums[f"{who} share"], self.players * WHOLE),
            points=PerGame(self.sums[f"{who} points"], self.players),
            lead=PerGame(self.sums[f"{who} lead"], self.players),
        )


def _made(end: GameEnd, seat: int) -> dict[str, int]:
    return {"share": end.share(seat), "points": end.points[seat], "lead": end.lead(seat)}


def _both(one: Estimate, other: Estimate) -> Estimate:
    return Estimate(one.count + other.count, one.total + other.total, one.squares + other.squares)
