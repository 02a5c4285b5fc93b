"""`Position`, the author's base class: a position of a game, with the rules of its moves as methods."""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, Self, TypeVar, dataclass_transform

import msgspec

from oddsmith.chance import Draw
from oddsmith.errors import NOT_YOUR_TURN, InputError, Refusal, nearest
from oddsmith.game import Act, Decide, Event, Luck, Over, Seat, Turn
from oddsmith.position.notation import write_value
from oddsmith.rules import Ruleset

if TYPE_CHECKING:
    from oddsmith.position.derivation import Derivation
    from oddsmith.position.derived_game import PositionGame

R = TypeVar("R", bound=Ruleset)
A = TypeVar("A")
L = TypeVar("L")

MOST_LISTED: Final = 8
"""The most actions that a refusal lists."""
LONGEST_SHOWN: Final = 80


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class _FrozenMeta(msgspec.StructMeta):
    """Makes structs frozen, with keyword arguments only, without their saying so."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> Any:  # noqa: ANN401  options of structs
        options.setdefault("frozen", True)
        options.setdefault("kw_only", True)
        return super().__new__(cls, name, bases, namespace, **options)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(msgspec.field,))
class Rules(Ruleset, metaclass=_FrozenMeta, frozen=True, kw_only=True, dict=True):
    """The base of the rules of a position: each number is a field with bounds and a default."""


class Position(msgspec.Struct, Generic[R, A, L], metaclass=_FrozenMeta, frozen=True, kw_only=True):
    """A position of a game; a subclass has the game's fields, each marked with who sees it, and its rules as methods.

    The parameters are the types of the rules, of actions, and of the outcomes of luck. `turn`, `actions`, `act` and `luck`
    are to be written; all else has a default that may be overridden. A position never changes: methods return another one.
    """

    players: ClassVar[range] = range(1, 2)
    """The possible numbers of seats."""

    rules: R
    seats: int

    # --- to be written ---

    def turn(self) -> Turn[L]:
        """Return what the position waits for: `asks` a seat, `awaits` luck, or `ends`."""
        raise NotImplementedError(f"{type(self).__name__} has no method turn")

    def actions(self, seat: Seat, /) -> Sequence[A]:
        """Return the legal actions of a seat that is asked."""
        raise NotImplementedError(f"{type(self).__name__} has no method actions")

    def act(self, seat: Seat, action: A, /) -> Self:
        """Return the position after a legal action."""
        raise NotImplementedError(f"{type(self).__name__} has no method act")

    def luck(self, outcome: L, /) -> Self:
        """Return the position after luck decided; a game without luck has no such method."""
        raise NotImplementedError(f"{type(self).__name__} has no method luck")

    # --- may be overridden ---

    def start(self) -> Self:
        """Return the position before the first move; this one has the defaults of all fields."""
        return self

    def possible(self) -> bool:
        """Whether the position can occur; of imagined positions those that cannot are discarded."""
        return True

    def worth(self, seat: Seat, /) -> Fraction | int | None:  # noqa: ARG002  this one does not say
        """Return the points that a seat has so far, also those at stake; None where the game does not say.

        The bot `greedy` maximises it one step ahead. Without it the bot plays games to their ends.
        """
        return None

    def objection(self, seat: Seat, action: A, /) -> Refusal | None:
        """Return why a seat may not act so now; None where it may."""
        turn = self.turn()
        if isinstance(turn, Over):
            return Refusal("game_over", f"the game is over: {turn.outcome.why}")
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return NOT_YOUR_TURN
        allowed = self.actions(seat)
        return None if action in allowed else _refuse(action, allowed)

    def view(self, viewer: Seat | None, /) -> Any:  # noqa: ANN401  an override returns its own type
        """Return what a viewer sees; `None` is a spectator. This one is derived from the marks of the fields.

        An override returns a struct of its own, which `imagine` reads, or the view of `super()` with other values.
        """
        return _derivation(type(self)).view(self, viewer)

    @classmethod
    def imagine(cls, view: Any, draw: Draw, /) -> Self:  # noqa: ANN401  what `view` returns
        """Return a random position that has this view; this one deals the unseen cards to the hidden fields."""
        imagined: Self = _derivation(cls).imagine(view, draw)
        return imagined

    def cards(self) -> Sequence[Hashable]:
        """Return all cards, of which no move adds or removes one; this one finds them by the types of the fields."""
        return _derivation(type(self)).cards(self)

    def write(self, move: Act[A] | Luck[L], /) -> str:
        """Return a move from this position as a short line, which `read` reads."""
        return _derivation(type(self)).write(move)

    def read(self, text: str, /) -> Act[A] | Luck[L]:
        """Return the move of a line that `write` wrote; raise `InputError` for any other text."""
        return _derivation(type(self)).read(text)

    def events(self, move: Act[A] | Luck[L], after: Any, /) -> Sequence[Event]:  # noqa: ANN401  an override says Self
        """Return what each viewer hears of a move from this position; in this one, a seat hears only what it may know.

        An override names the types of its events: `-> Sequence[Bust | Event]`, where `Event` means those of `super()`.
        """
        return _derivation(type(self)).describe_move(move, after)

    @classmethod
    def as_game(cls) -> "PositionGame":
        """Return the game of this type of position; raise `InputError` for a wrong declaration."""
        from oddsmith.position.derived_game import PositionGame  # noqa: PLC0415  it needs this class

        return PositionGame(cls)

    # --- for the methods of a subclass ---

    def after(self, /, **changes: Any) -> Self:  # noqa: ANN401  each field has its own type
        """Return the position with some fields changed."""
        try:
            return msgspec.structs.replace(self, **changes)
        except TypeError as error:
            raise _describe_fields(self, changes, error) from error


def _derivation(kind: type[Position[Any, Any, Any]]) -> "Derivation":
    from oddsmith.position.derivation import derive  # noqa: PLC0415  it needs this class

    return derive(kind)


def _refuse(action: object, allowed: Sequence[object]) -> Refusal:
    listed = ", ".join(map(write_value, allowed[:MOST_LISTED]))
    more = f", and {len(allowed) - MOST_LISTED} more" if len(allowed) > MOST_LISTED else ""
    return Refusal(
        "not_possible",
        f"'{write_value(action)[:LONGEST_SHOWN]}' is not possible now; possible: {listed}{more}",
    )


def _describe_fields(position: msgspec.Struct, changes: Iterable[str], error: TypeError) -> Exception:
    known = position.__struct_fields__
    for name in changes:
        if name not in known:
            return InputError(
                "unknown_field",
                f"{type(position).__name__} has no field '{name}'{nearest(name, known)}",
                where=name,
            )
    return error
