"""The protocol of a game and the types of its turns, moves, events and outcomes.

Rules are pure values, luck is an explicit move, and a seat gets its own view only.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from fractions import Fraction
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
    "SupportsAdvance",
    "SupportsClaims",
    "SupportsImagined",
    "SupportsLateSpectators",
    "SupportsOverdue",
    "SupportsWorth",
    "Turn",
    "audible_events",
    "find_advance",
]

MOST_SEATS: Final = 100

Seat: TypeAlias = int
Seats: TypeAlias = Annotated[tuple[Seat, ...], Meta(max_length=MOST_SEATS)]
Audience: TypeAlias = Literal["everyone"] | Seats
EVERYONE: Final[Audience] = "everyone"

R = TypeVar("R", bound=Ruleset)
S = TypeVar("S")
A = TypeVar("A")
L = TypeVar("L")
V = TypeVar("V")
S_co = TypeVar("S_co", covariant=True)
S_contra = TypeVar("S_contra", contravariant=True)
V_contra = TypeVar("V_contra", contravariant=True)
A_co = TypeVar("A_co", covariant=True)
C_contra = TypeVar("C_contra", contravariant=True)


class Decide(msgspec.Struct, frozen=True):
    """These seats must act. Where there are several, their actions stay hidden until the last of them has acted."""

    seats: Seats


class Await(msgspec.Struct, Generic[L], frozen=True):
    """A move of luck is due: the driver samples `chance` and steps with the outcome."""

    chance: Chance[L]


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a game: the reason, the winners, and the score of each seat."""

    why: Annotated[str, Meta(max_length=500)]
    winners: Seats
    scores: Annotated[tuple[Points, ...], Meta(max_length=MOST_SEATS)]


class Over(msgspec.Struct, frozen=True):
    """The game has ended."""

    outcome: Outcome


Turn: TypeAlias = Decide | Await[L] | Over


class Act(msgspec.Struct, Generic[A], frozen=True):
    """The move of a seat."""

    seat: Seat
    action: A


class Luck(msgspec.Struct, Generic[L], frozen=True):
    """The move of luck: the outcome of a chance node."""

    outcome: L


Move: TypeAlias = Act[A] | Luck[L]


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", gc=False):
    """The base of events: facts about a move, with the audience that may know them."""

    audience: Audience


class Step(msgspec.Struct, Generic[S], frozen=True):
    """The result of a move: the next state, and the events."""

    state: S
    events: tuple[Event, ...]


def audible_events(events: Iterable[Event], viewer: Seat | None) -> tuple[Event, ...]:
    """Return the events that a viewer may know; `None` is a spectator."""
    return tuple(event for event in events if event.audience == EVERYONE or viewer in event.audience)


class Game(Protocol[R, S, A, L, V]):
    """The protocol of a game: pure functions of its rules and states."""

    name: str
    rules_type: type[R]
    state_type: Any
    action_type: Any
    luck_type: Any
    event_type: Any
    view_type: Any

    def seats(self, rules: R) -> range:
        """Return the possible numbers of seats."""
        ...

    def setup(self, rules: R, seats: int) -> S:
        """Return the state before the first move."""
        ...

    def turn(self, state: S) -> Turn[L]:
        """Return which seats must act, which luck is due, or how the game ended."""
        ...

    def actions(self, state: S, seat: Seat) -> Sequence[A]:
        """Return the legal actions of a seat, in canonical order; empty where it need not act."""
        ...

    def objection(self, state: S, seat: Seat, action: A) -> Refusal | None:
        """Return why the seat may not make this action; None where it may."""
        ...

    def step(self, state: S, move: Act[A] | Luck[L]) -> Step[S]:
        """Return the result of a move; raise `IllegalMove` for one against the rules."""
        ...

    def view(self, state: S, viewer: Seat | None, /) -> V:
        """Return what the viewer knows of a state; `None` is a spectator."""
        ...

    def imagine(self, view: V, draw: Draw) -> S:
        """Return a random full state that is consistent with a view."""
        ...

    def cards(self, state: S) -> Sequence[Hashable]:
        """Return all cards of a state; no move may add or remove one."""
        ...

    def write(self, state: S, move: Act[A] | Luck[L]) -> str:
        """Return a move as a short line of text."""
        ...

    def read(self, state: S, text: str) -> Act[A] | Luck[L]:
        """Return the move of a line that `write` wrote; raise `OddsmithError` for any other text."""
        ...


@runtime_checkable
class SupportsAdvance(Protocol[S, A, L]):
    """The protocol of a game that can make moves that are known to be legal faster than by `step`."""

    def advance(self, state: S, move: Act[A] | Luck[L]) -> S:
        """Return the state after a legal move, without checks and events."""
        ...


def find_advance(game: "Game[Any, S, A, L, Any]") -> Callable[[S, Act[A] | Luck[L]], S]:
    """Return the function that makes legal moves of a game fastest: its `advance`, else its `step`."""
    if isinstance(game, SupportsAdvance):
        return game.advance
    return lambda state, move: game.step(state, move).state


@runtime_checkable
class SupportsImagined(Protocol[V_contra, S_co]):
    """The protocol of a game that lists the states that are consistent with a view, with the weights that `imagine` gives them."""

    def imagined_states(self, view: V_contra, limit: int) -> Sequence[tuple[S_co, int]] | None:
        """Return each state with this view once, with its weight; None where there are more than `limit`."""
        ...


@runtime_checkable
class SupportsWorth(Protocol[S_contra]):
    """The protocol of a game that says what a seat has so far, for bots that look one step ahead."""

    def worth(self, state: S_contra, seat: Seat) -> Fraction | int | None:
        """Return what a seat has in a state, in points; None where the game does not say."""
        ...


@runtime_checkable
class SupportsOverdue(Protocol[S_contra, A_co]):
    """The protocol of a game that restricts what a clock may choose; elsewhere it may choose any legal action."""

    def overdue(self, state: S_contra, seat: Seat) -> Sequence[A_co]:
        """Return the legal actions among which a clock chooses for a seat: those that change least and let the game go on."""
        ...


@runtime_checkable
class SupportsClaims(Protocol[S_contra, C_contra, A_co]):
    """The protocol of a game whose actions clients may send with claims about the state, which are checked.

    `claim_type` is the type of an action with its claims; the data of an action alone is one, too.
    """

    claim_type: Any

    def claimed_action(self, state: S_contra, seat: Seat, claim: C_contra) -> A_co:
        """Return the action of a claim; raise `OddsmithError` where a claim is wrong. `step` checks the action itself."""
        ...


@runtime_checkable
class SupportsLateSpectators(Protocol[S_contra]):
    """The protocol of a game that hides something open from spectators who come later; elsewhere they may know all of it."""

    def late_events(
        self, state: S_contra, versions: Sequence[tuple[Event, ...]], /
    ) -> Sequence[tuple[Event, ...]]:
        """Return the events of earlier versions without those that a spectator who was not there may not know now."""
        ...
