"""A playout is one random game, kept position by position so that every law can look at it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Generic, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.errors import LawBroken
from oddsmith.game import Act, Await, Decide, Game, Luck, Over, Seat, Turn
from oddsmith.records import Ply, play
from oddsmith.rules import Ruleset

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

    @property
    def drawn(self) -> tuple[Any, ...]:
        """What luck decided here, if it was luck's turn."""
        return (self.made.move.outcome,) if self.made and isinstance(self.made.move, Luck) else ()


class Met(Generic[T]):
    """Different things, in the order in which they were met, while there is room."""

    def __init__(self) -> None:
        self.things: list[T] = []
        self._known: set[str] = set()

    def add(self, thing: T) -> None:
        """Keep the thing if it is new."""
        name = repr(thing)
        if name not in self._known and len(self.things) < MOST_REMEMBERED:
            self._known.add(name)
            self.things.append(thing)


class Memory:
    """What all playouts of one check have met so far, and how many outcomes may still be counted."""

    def __init__(self, *, countable: int) -> None:
        self.actions: Met[Any] = Met()
        self.outcomes: Met[Any] = Met()
        self.nodes: set[object] = set()
        self.countable = countable


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

    def each(self, most: int | None = None) -> Iterator[Moment]:
        """Look at every position in turn, or at so many of them."""
        for moment in self.moments if most is None else self.some_of(self.moments, most):
            self.at = moment.ply
            yield moment

    def one_of(self, things: Sequence[T]) -> T:
        """Choose one thing at random."""
        return things[self.draw.below(len(things))]

    def some_of(self, things: Sequence[T], most: int = TRIES) -> list[T]:
        """Choose at most so many things at random, none twice; all of them where there are not more."""
        if len(things) <= most:
            return list(things)
        chosen: dict[int, T] = {}
        while len(chosen) < most:
            index = self.draw.below(len(things))
            chosen[index] = things[index]
        return list(chosen.values())

    def listed(self, moment: Moment) -> Iterator[tuple[Seat, Any]]:
        """Yield some of the actions that the position allows."""
        for seat, actions in moment.actions.items():
            for action in self.some_of(actions):
                yield seat, action

    def unlisted(self, moment: Moment) -> Iterator[tuple[Seat, Any]]:
        """Yield some actions that the position does not allow: met elsewhere, or listed for another seat."""
        met = self.some_of(self.memory.actions.things)
        foreign = [(self.draw.below(self.seats), action) for action in met]
        if moment.made and isinstance(moment.made.move, Act):
            foreign += [(seat, moment.made.move.action) for seat in range(self.seats)]
        for seat, action in foreign:
            if action not in moment.actions[seat]:
                yield seat, action

    def _choose(self, view: object, actions: Sequence[T], /) -> T:  # noqa: ARG002  a random player looks at nothing
        if not actions:
            raise LawBroken("totality", "a seat that must decide has no action")
        return self.one_of(actions)

    def _moment(self, state: object) -> Moment:
        turn = self.game.turn(state)
        wrong = _wrong_turn(turn, range(self.seats))
        if wrong:
            raise LawBroken("totality", wrong)
        actions = {seat: tuple(self.game.actions(state, seat)) for seat in range(self.seats)}
        return Moment(self.at, state, written(state), turn, actions, None)

    def _add(self, moment: Moment) -> None:
        self.moments.append(moment)
        for _, action in self.listed(moment):
            self.memory.actions.add(action)
        for outcome in moment.drawn:
            self.memory.outcomes.add(outcome)


def _wrong_turn(turn: object, seats: range) -> str | None:
    match turn:
        case Decide():
            fine = turn.seats and set(turn.seats) <= set(seats) and len(set(turn.seats)) == len(turn.seats)
            return None if fine else f"the seats {list(turn.seats)} cannot decide"
        case Await() | Over():
            return None
    return f"a turn is Decide, Await or Over, not {turn!r}"


def written(value: object) -> bytes:
    """Return the canonical JSON of a value; nothing where it has none, which breaks a law of its own."""
    try:
        return wire.to_json(value, canonical=True)
    except (TypeError, NotImplementedError):
        return b""
