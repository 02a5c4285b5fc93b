"""Playouts: random games that are recorded position by position for the checks of laws."""

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Generic, TypeVar

import msgspec

from oddsmith import wire
from oddsmith.chance import Seeded
from oddsmith.game import Act, Await, Decide, Game, Luck, Over, Seat, Turn
from oddsmith.laws.fault import Fault, FaultError
from oddsmith.laws.reachable_states import find_reachable_states
from oddsmith.records import Ply, play
from oddsmith.rules import Ruleset

T = TypeVar("T")

TRIES: Final = 8
"""The number of listed actions, and of unlisted ones, that a law tries in one position."""

SOME_ACTION: Final = (
    "each seat that `turn` asks has an action, and no other; a seat that has none is not asked"
)
MOST_SAMPLES: Final = 10_000
"""The most actions, and the most outcomes, that are collected over all playouts of a check."""


class Position(msgspec.Struct, frozen=True):
    """A position of a playout: its state, canonical JSON, turn and actions, and the ply from it; the last has none."""

    ply: int
    state: Any
    json: bytes
    turn: Turn[Any]
    actions: Mapping[Seat, tuple[Any, ...]]
    next_ply: Ply[Any, Any, Any] | None

    @property
    def drawn(self) -> tuple[Any, ...]:
        """The outcome of luck in this position; empty where a seat moved or none."""
        ply = self.next_ply
        return (ply.move.outcome,) if ply and isinstance(ply.move, Luck) else ()


class DistinctValues(Generic[T]):
    """Values without duplicates, in the order in which they were added; at most `MOST_SAMPLES`."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self._known: set[str] = set()

    def add(self, value: T) -> None:
        """Add a value, unless an equal one is there or the limit is reached."""
        name = repr(value)
        if name not in self._known and len(self.values) < MOST_SAMPLES:
            self._known.add(name)
            self.values.append(value)


class CheckState:
    """The state that all playouts of one check share: actions and outcomes that occurred, and chance nodes that were checked.

    `countable` is the number of outcomes that may still be counted one by one, `enumerable` the most states of a game that
    are enumerated.
    """

    def __init__(self, *, countable: int, enumerable: int) -> None:
        self.actions: DistinctValues[Any] = DistinctValues()
        self.outcomes: DistinctValues[Any] = DistinctValues()
        self.nodes: set[object] = set()
        self.countable = countable
        self._enumerable = enumerable
        self._reachable: dict[int, frozenset[Any] | None] = {}

    def reachable_states(
        self, game: Game[Any, Any, Any, Any, Any], rules: Ruleset, seats: int
    ) -> frozenset[Any] | None:
        """Return all states of the game with these seats, found once; None where there are too many."""
        if seats not in self._reachable:
            self._reachable[seats] = find_reachable_states(game, game.setup(rules, seats), self._enumerable)
        return self._reachable[seats]


class Playout:
    """One random game, with the game, its rules and the draw that checks use too.

    `at` is the ply of the position that is being checked, for the message of a broken law. `used_global_randomness` is
    whether a rule has drawn from Python's module random.
    """

    def __init__(
        self, game: Game[Any, Any, Any, Any, Any], rules: Ruleset, seats: int, seed: str, shared: CheckState
    ) -> None:
        self.game = game
        self.rules = rules
        self.seats = seats
        self.draw = Seeded(seed)
        self.shared = shared
        self.positions: list[Position] = []
        self.at = 0
        self.used_global_randomness = False
        self._seed = seed
        self._longest = 0

    @property
    def viewers(self) -> tuple[Seat | None, ...]:
        """Every seat, and the spectator."""
        return (*range(self.seats), None)

    def run(self, longest: int) -> None:
        """Play a random game from the setup to its end, `longest` plies at most; raise `FaultError` for a wrong turn."""
        self._longest = longest
        randomness = random.getstate()
        self._run(longest)
        self.used_global_randomness = random.getstate() != randomness

    def repeat(self) -> "Playout":
        """Return another playout with the same seed, from a setup of its own."""
        again = Playout(self.game, self.rules, self.seats, self._seed, CheckState(countable=0, enumerable=0))
        again.run(self._longest)
        return again

    def _run(self, longest: int) -> None:
        state = self.game.setup(self.rules, self.seats)
        choosers = [self.choose] * self.seats
        before = self._position(state)
        for ply in islice(play(self.game, state, choosers, self.draw, who=self.pick), longest):
            self._add(msgspec.structs.replace(before, next_ply=ply))
            self.at = ply.number
            before = self._position(ply.after)
        self._add(before)

    def each_position(self, most: int | None = None) -> Iterator[Position]:
        """Yield all positions, or `most` random ones, and set `at` to the ply of each."""
        for position in self.positions if most is None else self.sample(self.positions, most):
            self.at = position.ply
            yield position

    def pick(self, values: Sequence[T]) -> T:
        """Return one random value."""
        return values[self.draw.below(len(values))]

    def sample(self, values: Sequence[T], most: int = TRIES) -> list[T]:
        """Return `most` random values without repetition; all of them where there are not more."""
        if len(values) <= most:
            return list(values)
        chosen: dict[int, T] = {}
        while len(chosen) < most:
            index = self.draw.below(len(values))
            chosen[index] = values[index]
        return list(chosen.values())

    def listed_actions(self, position: Position) -> Iterator[tuple[Seat, Any]]:
        """Yield random actions that the position allows, with their seats."""
        for seat, actions in position.actions.items():
            for action in self.sample(actions):
                yield seat, action

    def unlisted_actions(self, position: Position) -> Iterator[tuple[Seat, Any]]:
        """Yield random actions that the position does not allow: of other positions, or of another seat."""
        others = self.sample(self.shared.actions.values)
        foreign = [(self.draw.below(self.seats), action) for action in others]
        ply = position.next_ply
        if ply and isinstance(ply.move, Act):
            foreign += [(seat, ply.move.action) for seat in range(self.seats)]
        for seat, action in foreign:
            if action not in position.actions[seat]:
                yield seat, action

    def choose(self, view: object, actions: Sequence[T], /) -> T:  # noqa: ARG002  the choice is random
        """Return a random action; raise `FaultError` where there is none."""
        if not actions:
            raise FaultError(
                Fault("a seat that must decide has no action", "actions", SOME_ACTION), law="totality"
            )
        return self.pick(actions)

    def _position(self, state: object) -> Position:
        turn = self.game.turn(state)
        wrong = _wrong_turn(turn, range(self.seats))
        if wrong:
            raise FaultError(
                Fault(wrong, "turn", "return asks(…) of different seats, awaits(…) or ends(…) in every case")
            )
        actions = {seat: tuple(self.game.actions(state, seat)) for seat in range(self.seats)}
        return Position(self.at, state, canonical_json(state), turn, actions, None)

    def _add(self, position: Position) -> None:
        self.positions.append(position)
        for _, action in self.listed_actions(position):
            self.shared.actions.add(action)
        for outcome in position.drawn:
            self.shared.outcomes.add(outcome)


def _wrong_turn(turn: object, seats: range) -> str | None:
    match turn:
        case Decide():
            fine = turn.seats and set(turn.seats) <= set(seats) and len(set(turn.seats)) == len(turn.seats)
            return None if fine else f"the seats {list(turn.seats)} cannot decide"
        case Await() | Over():
            return None
    return f"a turn is Decide, Await or Over, not {turn!r}"


def canonical_json(value: object) -> bytes:
    """Return the canonical JSON of a value; empty where it has none, which the law `json` reports."""
    try:
        return wire.to_json(value, canonical=True)
    except (TypeError, NotImplementedError):
        return b""
