"""Metrics of played games for a game that has none of its own: who won, how long it took, what was chosen, what luck came to."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta

from oddsmith.balance.play.kinds import name_action, name_chance
from oddsmith.balance.play.statistics import PlayStatistics, make_series, read_statistics
from oddsmith.driver import PlayedGame
from oddsmith.errors import InputError, nearest
from oddsmith.figure import Reading, Unit
from oddsmith.game import Act, Await, Game, Outcome, Over
from oddsmith.metric import ExactCell, MetricKind, NullDistribution, Observation, Progress, Resolution
from oddsmith.points import Points
from oddsmith.position.notation import write_value
from oddsmith.rules import Ruleset

Name: TypeAlias = Annotated[str, Meta(max_length=60)]
Count: TypeAlias = Annotated[int, Meta(ge=0, le=10**9)]
Weight: TypeAlias = Annotated[int, Meta(ge=1, le=10**15)]

MOST_OUTCOMES: Final = 60
"""The most outcomes of a chance node that is observed outcome by outcome."""
MOST_WAYS: Final = 10**12
HUNDREDTHS: Final = 100
ALL: Final = "all"
CHOICES: Final = "; people need not choose at random"

METRICS: Final = (
    MetricKind(
        name="game.won",
        title="games won alone",
        unit=Unit.CHANCE,
        about="How often each seat won alone; the value under the rules is that of play at random"
        + CHOICES
        + ".",
    ),
    MetricKind(
        name="game.drawn",
        title="games that nobody won alone",
        unit=Unit.CHANCE,
        about="How often no seat won alone; the value under the rules is that of play at random"
        + CHOICES
        + ".",
    ),
    MetricKind(
        name="game.plies",
        title="length of games",
        unit=Unit.NUMBER,
        about="The moves of seats and of luck in a game; the value under the rules is that of play at random"
        + CHOICES
        + ".",
    ),
    MetricKind(
        name="game.score",
        title="scores",
        unit=Unit.NUMBER,
        about="The score of each seat at the end; the value under the rules is that of play at random"
        + CHOICES
        + ".",
        scale=HUNDREDTHS,
    ),
    MetricKind(
        name="action.chosen",
        title="actions chosen",
        unit=Unit.CHANCE,
        about="How often a kind of action was chosen where it was possible.",
    ),
    MetricKind(
        name="luck.outcome",
        title="outcomes of luck",
        unit=Unit.CHANCE,
        about="How often each outcome came where luck had few of them, against its exact chances.",
    ),
)


class GameEnded(Resolution, frozen=True, kw_only=True, tag="ended"):
    """The end of a game: the seats that won, the score of each, and the number of moves."""

    winners: Annotated[tuple[Count, ...], Meta(max_length=100)]
    scores: Annotated[tuple[Points, ...], Meta(min_length=1, max_length=100)]
    plies: Count

    def observations(self, rules: Ruleset) -> Iterator[Observation]:  # noqa: ARG002  nothing is compared move by move
        """Yield who won, the length, and the scores."""
        yield Observation("game.drawn", ALL, int(len(self.winners) != 1))
        yield Observation("game.plies", ALL, self.plies)
        for seat, score in enumerate(self.scores):
            yield Observation("game.won", _name_seat(seat), int(self.winners == (seat,)))
            yield Observation("game.score", _name_seat(seat), score.hundredths)


class ActionChosen(Resolution, frozen=True, kw_only=True, tag="chosen"):
    """A choice: the kind of action, and all kinds that were possible."""

    kind: Name
    possible: Annotated[tuple[Name, ...], Meta(min_length=1, max_length=1_000)]

    def observations(self, rules: Ruleset) -> Iterator[Observation]:  # noqa: ARG002  as above
        """Yield for each possible kind whether it was chosen."""
        if self.kind not in self.possible:
            raise InputError(
                "not_possible", f"'{self.kind}' was not possible{nearest(self.kind, self.possible)}"
            )
        for kind in self.possible:
            yield Observation("action.chosen", kind, int(kind == self.kind))


class LuckDecided(Resolution, frozen=True, kw_only=True, tag="luck"):
    """An outcome of luck: the kind of chance node, the outcome, and the weight of every outcome."""

    chance: Name
    outcome: Annotated[str, Meta(max_length=200)]
    weights: Annotated[
        Mapping[Annotated[str, Meta(max_length=200)], Weight], Meta(min_length=1, max_length=MOST_OUTCOMES)
    ]

    def observations(self, rules: Ruleset) -> Iterator[Observation]:  # noqa: ARG002  the weights are in the line
        """Yield for each outcome whether it came, with its exact chance."""
        if self.outcome not in self.weights:
            raise InputError(
                "impossible_luck",
                f"'{self.outcome[:40]}' is none of the outcomes{nearest(self.outcome[:40], self.weights)}",
            )
        total = sum(self.weights.values())
        for outcome, weight in self.weights.items():
            distribution = NullDistribution.of_chance(Fraction(weight, total))
            yield Observation(
                "luck.outcome", f"{self.chance}: {outcome}", int(outcome == self.outcome), distribution
            )


RESOLUTIONS: TypeAlias = GameEnded | ActionChosen | LuckDecided


def _name_seat(seat: int) -> str:
    return f"seat {seat}"


class PlayMetrics:
    """The metrics of a game without metrics of its own, as `GameMetrics` describes them."""

    def __init__(self, game: Game[Any, Any, Any, Any, Any]) -> None:
        self._game = game
        self.METRICS = METRICS
        self.RESOLUTIONS: Any = RESOLUTIONS

    def resolutions(self, played: PlayedGame[Any, Any, Any], /) -> Iterator[Resolution]:
        """Yield the choices, the outcomes of luck, and the end of a replayed game."""
        for ply in played.plies:
            turn = self._game.turn(ply.before)
            if isinstance(ply.move, Act):
                listed = self._game.actions(ply.before, ply.move.seat)
                kinds = tuple(dict.fromkeys(map(name_action, listed)))
                yield ActionChosen(kind=name_action(ply.move.action), possible=kinds)
            elif isinstance(turn, Await):
                yield from _resolve_luck(turn, ply.move.outcome)
        last = self._game.turn(played.state)
        if isinstance(last, Over):
            yield _resolve_end(last.outcome, len(played.plies))

    def exact_cells(self, rules: Ruleset, progress: Progress, /) -> Iterator[ExactCell]:
        """Yield what games at random come to, with the least number of seats: exact, or estimated from play."""
        found = read_statistics(make_series(rules))
        progress(0.9)
        yield from _list_cells(found)
        progress(1)


def _resolve_luck(turn: Await[Any], outcome: object) -> Iterator[LuckDecided]:
    """Yield the outcome of a chance node that has few outcomes."""
    if turn.chance.total > MOST_WAYS:
        return
    weights = {write_value(one): weight for one, weight in islice(turn.chance.outcomes(), MOST_OUTCOMES + 1)}
    if 1 < len(weights) <= MOST_OUTCOMES:
        yield LuckDecided(chance=name_chance(turn.chance), outcome=write_value(outcome), weights=weights)


def _resolve_end(outcome: Outcome, plies: int) -> GameEnded:
    return GameEnded(winners=outcome.winners, scores=outcome.scores, plies=plies)


def _list_cells(found: PlayStatistics) -> Iterator[ExactCell]:
    yield ExactCell("game.drawn", ALL, found.drawn)
    yield ExactCell("game.plies", ALL, found.plies)
    columns: tuple[tuple[str, tuple[Reading, ...]], ...] = (
        ("game.won", found.alone),
        ("game.score", found.scores),
    )
    for metric, values in columns:
        for seat, value in enumerate(values):
            yield ExactCell(metric, _name_seat(seat), value)
    for kind, share in found.actions.items():
        yield ExactCell("action.chosen", kind, share.chosen)
