"""The figures of play: numbers of whole games in which all seats play alike, for any game that has no figures of its own."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar, Final, TypeAlias, TypeVar

from msgspec import Meta

from oddsmith.balance.play.best import read_best
from oddsmith.balance.play.luck import read_luck
from oddsmith.balance.play.statistics import PlayStatistics, Series, make_series, read_statistics
from oddsmith.errors import InputError, nearest
from oddsmith.figure import Figure, Reading, Unit
from oddsmith.rules import Ruleset

T = TypeVar("T")

Seats: TypeAlias = Annotated[int, Meta(ge=1, le=100)]
"""How many seats play; by default the fewest."""
PlayerName: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60)]
"""The bot that plays all seats: `random`, `greedy`, or another quick bot of the game."""
Games: TypeAlias = Annotated[int, Meta(ge=10, le=1_000_000)]
"""How many games are played where all of them are too many to count."""
Seed: TypeAlias = Annotated[str, Meta(min_length=1, max_length=100)]
"""The seed of these games."""
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, le=99)]
"""A seat, from 0."""
ActionKind: TypeAlias = Annotated[str, Meta(min_length=1, max_length=50)]
"""A kind of action: its name, or for cards how many there are."""
LuckSource: TypeAlias = Annotated[str, Meta(min_length=1, max_length=80)]
"""A kind of chance node, such as `die with 6 sides`; by default all of them."""


class _PlayFigure(Figure, frozen=True, kw_only=True):
    """Who plays, how many games where not all can be counted, and their seed."""

    seats: Seats | None = None
    play: PlayerName = "random"
    games: Games = 400
    seed: Seed = "play"

    def series(self, rules: Ruleset) -> Series:
        """Return the games that the figure is of."""
        return make_series(rules, self.seats, play=self.play, games=self.games, seed=self.seed)

    def statistics(self, rules: Ruleset) -> PlayStatistics:
        """Return the statistics of these games."""
        return read_statistics(self.series(rules))


class _SeatFigure(_PlayFigure, frozen=True, kw_only=True):
    """The seat, by default the first."""

    seat: SeatNumber = 0

    def of_seat(self, values: Sequence[Reading]) -> Reading:
        """Return the value of the seat."""
        if self.seat >= len(values):
            raise InputError(
                "bad_seat", f"the seats are 0 to {len(values) - 1}, not {self.seat}", where="seat"
            )
        return values[self.seat]


class _ActionFigure(_PlayFigure, frozen=True, kw_only=True):
    """The kind of action."""

    action: ActionKind


def _find(values: Mapping[str, T], name: str, *, code: str, what: str) -> T:
    if name not in values:
        raise InputError(code, f"unknown {what} '{name[:40]}'{nearest(name, values)}", where=what)
    return values[name]


class Win(_SeatFigure, frozen=True, kw_only=True, tag="play.win"):
    """The chance that a seat wins; a shared win counts as a share."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Ruleset) -> Reading:
        return self.of_seat(self.statistics(rules).wins)


class Advantage(_PlayFigure, frozen=True, kw_only=True, tag="play.advantage"):
    """The chance that the first seat wins, less an equal share."""

    def read(self, rules: Ruleset) -> Reading:
        wins = self.statistics(rules).wins
        if len(wins) == 1:
            raise InputError("one_seat", "a single seat has no advantage over others", where="seats")
        return Reading(wins[0].value - Fraction(1, len(wins)), wins[0].error, wins[0].basis)


class Drawn(_PlayFigure, frozen=True, kw_only=True, tag="play.drawn"):
    """The chance that no seat wins alone."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Ruleset) -> Reading:
        return self.statistics(rules).drawn


class Plies(_PlayFigure, frozen=True, kw_only=True, tag="play.plies"):
    """The mean length of a game, in moves of seats and of luck."""

    def read(self, rules: Ruleset) -> Reading:
        return self.statistics(rules).plies


class ChoiceCount(_PlayFigure, frozen=True, kw_only=True, tag="play.choices"):
    """The mean number of choices in a game, of all seats together."""

    def read(self, rules: Ruleset) -> Reading:
        return self.statistics(rules).choices


class Score(_SeatFigure, frozen=True, kw_only=True, tag="play.score"):
    """The mean score of a seat at the end."""

    def read(self, rules: Ruleset) -> Reading:
        return self.of_seat(self.statistics(rules).scores)


class ScoreSpread(_SeatFigure, frozen=True, kw_only=True, tag="play.score_spread"):
    """The standard deviation of a seat's score at the end."""

    def read(self, rules: Ruleset) -> Reading:
        return self.of_seat(self.statistics(rules).spreads)


class Possible(_ActionFigure, frozen=True, kw_only=True, tag="play.possible"):
    """The share of choices in which a kind of action is possible."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Ruleset) -> Reading:
        return _find(
            self.statistics(rules).actions, self.action, code="unknown_action", what="action"
        ).possible


class Chosen(_ActionFigure, frozen=True, kw_only=True, tag="play.chosen"):
    """How often a kind of action is chosen where it is possible."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Ruleset) -> Reading:
        return _find(self.statistics(rules).actions, self.action, code="unknown_action", what="action").chosen


class Best(_ActionFigure, frozen=True, kw_only=True, tag="play.best"):
    """How often a kind of action is best where it and another kind are possible, as the bot `greedy` values up to 30 of the choices."""

    unit: ClassVar[Unit] = Unit.CHANCE

    def read(self, rules: Ruleset) -> Reading:
        return _find(read_best(self.series(rules)), self.action, code="unknown_action", what="action").best


class LuckShare(_PlayFigure, frozen=True, kw_only=True, tag="play.luck"):
    """The share of the variance of the result that luck decides: of the first seat's win, for a single seat of its score."""

    unit: ClassVar[Unit] = Unit.CHANCE
    source: LuckSource | None = None

    def read(self, rules: Ruleset) -> Reading:
        found = read_luck(self.series(rules))
        if found.total is None:
            raise InputError("no_variance", "the result is always the same: nothing decides it")
        return (
            found.total
            if self.source is None
            else _find(found.sources, self.source, code="unknown_source", what="source")
        )


FIGURES: Final[tuple[type[_PlayFigure], ...]] = (
    Win,
    Advantage,
    Drawn,
    Plies,
    ChoiceCount,
    Score,
    ScoreSpread,
    Possible,
    Chosen,
    Best,
    LuckShare,
)
