"""A playout is one random game, kept position by position so that every law can look at it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.errors import LawBroken
from oddsmith.game import Act, Await, Decide, Game, Luck, Over, Seat, Turn
from oddsmith.records import Ply, play
from oddsmith.rules import Ruleset

__all__ = ["Memory", "Moment", "Playout", "written"]

T = TypeVar("T")

TRIES: Final = 8
"""How many actions of a long list, and how many foreign ones, a law tries in one position."""

MOST_REMEMBERED: Final = 10_000


class Moment(msgspec.Struct, frozen=True):
    """A position of a playout, and the move that was made in it; the last position has none."""

    ply: int
    state: Any
    written: bytes
    turn: Turn[Any]
    actions: Mapping[Seat, tuple[Any, ...]]
    made: Ply[Any, Any, Any] | None


class Memory:
    """What all playouts of one check have met so far: actions, outcomes of luck and chance nodes."""

    def __init__(self, *, outcomes: int) -> None:
        self.actions: dict[str, Any] = {}
        self.outcomes: dict[str, Any] = {}
        self.nodes: set[object] = set()
        self.countable = outcomes

    def keep(self, moment: Moment) -> None:
        """Remember the actions that were listed and the luck that was met, while there is room."""
        if len(self.actions) < MOST_REMEMBERED:
            for listed in moment.actions.values():
                self.actions.update((repr(action), action) for action in listed)
        if moment.made and isinstance(moment.made.move, Luck) and len(self.outcomes) < MOST_REMEMBERED:
            self.outcomes[repr(moment.made.move.outcome)] = moment.made.move.outcome


class Playout:
    """One random game, and the means to look further: the game, its rules, a source of choices.

    `at` is the ply that is being looked at, for whoever has to say where a law was broken.
    """

    def __init__(
        self, game: Game[Any, Any, Any, Any, Any], rules: Ruleset, seats: int, draw: Draw, memory: Memory
    ) -> None:
        self.game = game
        self.rules = rules
        self.seats = seats
        self.draw = draw
        self.memory = memory
        self.moments: list[Moment] = []
        self.at = 0

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Every seat, and the spectator."""
        return (*range(self.seats), None)

    def run(self, longest: int) -> None:
        """Play from the setup to the end, or until `longest` moves are made."""
        state = self.game.setup(self.rules, self.seats)
        choosers = [self._choose] * self.seats
        before = self._moment(state)
        for ply in islice(play(self.game, state, choosers, self.draw, who=self.one_of), longest):
            self._add(msgspec.structs.replace(before, made=ply))
            self.at = ply.number
            before = self._moment(ply.after)
        self._add(before)

    def each(self) -> Iterator[Moment]:
        """Look at every position in turn."""
        for moment in self.moments:
            self.at = moment.ply
            yield moment

    def one_of(self, things: Sequence[T]) -> T:
        """Choose one thing at random."""
        return things[self.draw.below(len(things))]

    def some_of(self, things: Sequence[T], most: int = TRIES) -> list[T]:
        """Choose at most so many things at random, none twice; all of them where there are not more."""
        left = list(things)
        if len(left) <= most:
            return left
        return [left.pop(self.draw.below(len(left))) for _ in range(most)]

    def listed(self, moment: Moment) -> Iterator[tuple[Seat, Any]]:
        """Yield some of the actions that the position allows."""
        for seat, actions in moment.actions.items():
            for action in self.some_of(actions):
                yield seat, action

    def unlisted(self, moment: Moment) -> Iterator[tuple[Seat, Any]]:
        """Yield some actions that the position does not allow: met elsewhere, or listed for another seat."""
        foreign = [(self.draw.below(self.seats), action) for action in self._remembered(self.memory.actions)]
        if moment.made and isinstance(moment.made.move, Act):
            foreign += [(seat, moment.made.move.action) for seat in range(self.seats)]
        for seat, action in foreign:
            if action not in moment.actions[seat]:
                yield seat, action

    def other_outcomes(self) -> list[Any]:
        """Return some outcomes of luck that were met anywhere."""
        return self._remembered(self.memory.outcomes)

    def _remembered(self, met: Mapping[str, T]) -> list[T]:
        return self.some_of(tuple(met.values()))

    def _choose(self, view: object, actions: Sequence[T], /) -> T:  # noqa: ARG002  a random player looks at nothing
        if not actions:
            raise LawBroken("totality", "a seat that must decide has no action")
        return self.one_of(actions)

    def _moment(self, state: object) -> Moment:
        turn = self.game.turn(state)
        if not isinstance(turn, Decide | Await | Over):
            raise LawBroken("totality", f"a turn is Decide, Await or Over, not {turn!r}")
        actions = {seat: tuple(self.game.actions(state, seat)) for seat in range(self.seats)}
        return Moment(self.at, state, written(state), turn, actions, None)

    def _add(self, moment: Moment) -> None:
        self.moments.append(moment)
        self.memory.keep(moment)


def written(value: object) -> bytes:
    """Return the canonical JSON of a value; nothing where it has none, which breaks a law of its own."""
    try:
        return wire.to_json(value, canonical=True)
    except (TypeError, NotImplementedError):
        return b""
