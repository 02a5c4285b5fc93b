"""The shape of a game: types only.

Rules are pure values; luck is an explicit move; a seat only ever meets its own view.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Annotated, Any, Final, Generic, Literal, Protocol, TypeAlias, TypeVar, runtime_checkable

import msgspec
from msgspec import Meta

from oddsmith.chance import Chance, Draw
from oddsmith.errors import Refusal
from oddsmith.points import Points
from oddsmith.rules import Ruleset

__all__ = [
    "EVERYONE",
    "Act",
    "Audience",
    "Await",
    "Decide",
    "Event",
    "Game",
    "Luck",
    "Move",
    "Outcome",
    "Over",
    "Seat",
    "Seats",
    "Step",
    "SupportsOverdue",
    "Turn",
    "audible_events",
]

MOST_SEATS: Final = 100

Seat: TypeAlias = int
Seats: TypeAlias = Annotated[tuple[Seat, ...], Meta(max_length=MOST_SEATS)]
Audience: TypeAlias = Literal["everyone"] | Seats
EVERYONE: Final[Audience] = "everyone"

R = TypeVar("R", bound=Ruleset)
S = TypeVar("S")
A = TypeVar("A")
O = TypeVar("O")  # noqa: E741  the outcome of luck
V = TypeVar("V")


class Decide(msgspec.Struct, frozen=True):
    """These seats must act; where there are several, each acts unseen and the last one resolves."""

    seats: Seats


class Await(msgspec.Struct, Generic[O], frozen=True):
    """Luck is due: the driver samples `chance` and steps with the outcome."""

    chance: Chance[O]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended: why, who won, and what each seat made of it."""

    why: Annotated[str, Meta(max_length=500)]
    winners: Seats
    scores: Annotated[tuple[Points, ...], Meta(max_length=MOST_SEATS)]


class Over(msgspec.Struct, frozen=True):
    """The game has ended."""

    outcome: Outcome


Turn: TypeAlias = Decide | Await[O] | Over


class Act(msgspec.Struct, Generic[A], frozen=True):
    """A seat's choice."""

    seat: Seat
    action: A


class Luck(msgspec.Struct, Generic[O], frozen=True):
    """What luck decided."""

    outcome: O


Move: TypeAlias = Act[A] | Luck[O]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event"):
    """A fact, and who may hear of it."""

    audience: Audience


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The state after a move, and what happened."""

    state: S
    events: tuple[Event, ...]


def audible_events(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events that a viewer may hear of; `None` is a spectator."""
    return tuple(event for event in events if event.audience == EVERYONE or viewer in event.audience)


class Game(Protocol[R, S, A, O, V]):
    """A game as pure functions of its state; every game is one value of this shape."""

    name: str
    rules_type: type[R]
    state_type: Any
    action_type: Any
    luck_type: Any
    event_type: Any
    view_type: Any

    def seats(self, rules: R) -> range:
        """Return how many may play."""
        ...

    def setup(self, rules: R, seats: int) -> S:
        """Return the state before the first move."""
        ...

    def turn(self, state: S) -> Turn[O]:
        """Say who must act, or which luck is due, or how it ended."""
        ...

    def actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return what the seat may do, in canonical order; empty when it is not deciding."""
        ...

    def objection(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Say why the seat may not do this, or None."""
        ...

    def step(self, state: S, move: Act[A] | Luck[O]) -> Step[S]:
        """Make the move; one that the rules refuse raises `IllegalMove`."""
        ...

    def view(self, state: S, viewer: Seat | None) -> V:
        """Return what the viewer knows, built up field by field."""
        ...

    def imagine(self, view: V, draw: Draw) -> S:
        """Return a full state consistent with what a viewer knows."""
        ...

    def cards(self, state: S) -> Sequence[Hashable]:
        """Return every card of the game, wherever it lies; none may be lost or made by a move."""
        ...

    def write(self, state: S, move: Act[A] | Luck[O]) -> str:
        """Write a move as a short line."""
        ...

    def read(self, state: S, text: str) -> Act[A] | Luck[O]:
        """Read a move that `write` wrote."""
        ...


@runtime_checkable
class SupportsOverdue(Protocol):
    """A game that also says what a clock chooses where a seat's time is up; of any other it chooses any listed action."""

    def overdue(self, state: Any, seat: Seat) -> Sequence[Any]:  # noqa: ANN401  of the game
        """Return the listed actions that a clock chooses among: those that leave things as they lie, and let the game go on."""
        ...
