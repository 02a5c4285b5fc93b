"""The game of a position: the Game protocol, derived from the methods and marks of a subclass of `Position`."""

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from functools import cache
from typing import Any, Final, get_args, get_origin

import msgspec

from oddsmith import wire
from oddsmith.chance import Draw
from oddsmith.decoding_faults import describe_fault
from oddsmith.errors import IllegalMove, InputError, Refusal
from oddsmith.game import Act, Await, Decide, Luck, Seat, Step, Turn
from oddsmith.position.base import Position, Rules
from oddsmith.position.events import Events
from oddsmith.position.imagining import Imagination
from oddsmith.position.marks import Mark
from oddsmith.position.notation import MoveNotation
from oddsmith.position.places import read_places
from oddsmith.position.views import Views
from oddsmith.position.words import PerSeat
from oddsmith.rules import Ruleset

NO_LUCK_DUE: Final = Refusal("no_luck_due", "no luck is due now: a seat must choose, or the game is over")
IMPOSSIBLE_LUCK: Final = Refusal("impossible_luck", "luck decides one of the outcomes that are possible now")


class PositionGame:
    """The game of a type of position, with everything that is derived from its declaration."""

    def __init__(self, kind: type[Position[Any, Any, Any]]) -> None:
        self.name = _snake_case(kind.__name__)
        rules_type, action_type, luck_type = _read_parameters(kind)
        self.rules_type: type[Ruleset] = _name_rules(rules_type, self.name)
        self.state_type: Any = kind if self.rules_type is rules_type else _with_rules(kind, self.rules_type)
        self.action_type: Any = action_type
        self.luck_type: Any = luck_type
        places = read_places(self.state_type)
        self._views = Views(self.state_type, self.rules_type, places)
        self._imagination = Imagination(self.state_type, self._views, self._count_deck)
        self._events = Events(self.state_type, action_type, luck_type, self._views)
        self._notation = MoveNotation(action_type, luck_type)
        self.view_type: Any = self._views.view_type
        self.event_type: Any = self._events.event_type
        self.hides: bool = self._views.hides
        self._require_start()

    def seats(self, rules: Ruleset) -> range:  # noqa: ARG002  the same for all rules
        """Return the possible numbers of seats."""
        players: range = self.state_type.players
        return players

    def setup(self, rules: Ruleset, seats: int) -> Any:  # noqa: ANN401  a position
        """Return the position before the first move; raise `InputError` for another number of seats."""
        players = self.seats(rules)
        if seats not in players:
            raise InputError(
                "bad_seats", f"{self.name} is for {players.start} to {players.stop - 1} seats, not {seats}"
            )
        return self.state_type(rules=rules, seats=seats, **self._repeated_defaults(seats)).start()

    def turn(self, state: Any) -> Turn[Any]:  # noqa: ANN401  a position
        """Return what a position waits for."""
        turn: Turn[Any] = state.turn()
        return turn

    def actions(self, state: Any, seat: Seat) -> Sequence[Any]:  # noqa: ANN401  as above
        """Return the legal actions of a seat, none where it is not asked."""
        turn = state.turn()
        if not isinstance(turn, Decide) or seat not in turn.seats:
            return ()
        allowed: Sequence[Any] = state.actions(seat)
        return allowed

    def objection(self, state: Any, seat: Seat, action: object) -> Refusal | None:  # noqa: ANN401  as above
        """Return why a seat may not act so now; None where it may."""
        refusal: Refusal | None = state.objection(seat, action)
        return refusal

    def step(self, state: Any, move: Act[Any] | Luck[Any]) -> Step[Any]:  # noqa: ANN401  as above
        """Return the position after a move and its events; raise `IllegalMove` where it is not legal."""
        if isinstance(move, Luck):
            turn = state.turn()
            if not isinstance(turn, Await):
                raise IllegalMove.of(NO_LUCK_DUE)
            if not turn.chance.weight(move.outcome):
                raise IllegalMove.of(IMPOSSIBLE_LUCK)
        else:
            refusal = state.objection(move.seat, move.action)
            if refusal is not None:
                raise IllegalMove.of(refusal)
        after = self.advance(state, move)
        return Step(after, self._events.describe_move(move, after))

    @staticmethod
    def advance(state: Any, move: Act[Any] | Luck[Any]) -> Any:  # noqa: ANN401  as above
        """Return the position after a move that is known to be legal, without checks and events."""
        return state.luck(move.outcome) if isinstance(move, Luck) else state.act(move.seat, move.action)

    def view(self, state: Any, viewer: Seat | None) -> Any:  # noqa: ANN401  as above
        """Return what a viewer sees of a position."""
        return self._views.view(state, viewer)

    def imagine(self, view: Any, draw: Draw) -> Any:  # noqa: ANN401  as above
        """Return a random position that has this view."""
        return self._imagination.imagine(view, draw)

    def cards(self, state: Any) -> Sequence[Hashable]:  # noqa: ANN401  as above
        """Return all cards of a position."""
        return tuple(self._views.all_cards(state))

    def write(self, state: Any, move: Act[Any] | Luck[Any]) -> str:  # noqa: ANN401, ARG002  needed by the protocol
        """Return a move as a line."""
        return self._notation.write(move)

    def read(self, state: Any, text: str) -> Act[Any] | Luck[Any]:  # noqa: ANN401, ARG002  as above
        """Return the move of a line."""
        return self._notation.read(text)

    def _count_deck(self, rules: Ruleset, seats: int) -> Counter[Any]:
        return _count_deck(self, rules, seats)

    def _repeated_defaults(self, seats: int) -> dict[str, tuple[Any, ...]]:
        return {name: default * seats for name, default in _per_seat_defaults(self.state_type)}

    def _require_start(self) -> None:
        """Refuse a position that cannot be set up, hashed, or written as JSON."""
        rules = self.rules_type()
        for seats in {self.seats(rules).start, self.seats(rules).stop - 1}:
            state = self.setup(rules, seats)
            for place in self._views.places:
                entries = getattr(state, place.name)
                if place.mark is Mark.OWN and len(entries) != seats:
                    raise InputError(
                        "bad_field",
                        f"{self.state_type.__name__}.{place.name} has {len(entries)} entries for {seats} seats: "
                        "begin with `each(…)`, or set it in `start`",
                        where=place.name,
                    )
            _require_value(state, self.state_type)


@cache
def _count_deck(game: PositionGame, rules: Ruleset, seats: int) -> Counter[Any]:
    return Counter(game.cards(game.setup(rules, seats)))


@cache
def _per_seat_defaults(kind: type[msgspec.Struct]) -> tuple[tuple[str, PerSeat[Any]], ...]:
    return tuple(
        (field.name, field.default)
        for field in msgspec.structs.fields(kind)
        if isinstance(field.default, PerSeat)
    )


def _require_value(state: Any, kind: type[Any]) -> None:  # noqa: ANN401  a position
    try:
        hash(state)
    except TypeError as error:
        raise InputError(
            "bad_position",
            f"{kind.__name__} cannot be hashed: {error}; use tuples, numbers, text and frozen structs",
        ) from error
    try:
        same = wire.from_json(wire.to_json(state), kind) == state
    except InputError as error:
        sentence, where = describe_fault(str(error))
        raise InputError(
            "bad_position",
            f"the first position of {kind.__name__} is not as declared: {sentence}",
            where=where,
        ) from error
    except NotImplementedError as error:
        raise InputError("bad_position", f"{kind.__name__} cannot be written as JSON: {error}") from error
    if not same:
        raise InputError(
            "bad_position",
            f"{kind.__name__} comes back from JSON as another value: use the types that the fields declare",
        )


def _read_parameters(kind: type) -> tuple[type[Ruleset], Any, Any]:
    """Return the types of the rules, of actions and of luck that a type of position was declared with."""
    for base in kind.__mro__:
        for declared in vars(base).get("__orig_bases__", ()):
            if get_origin(declared) is Position:
                rules, action, luck = get_args(declared)
                if isinstance(rules, type) and issubclass(rules, Ruleset):
                    return rules, action, luck
    raise InputError(
        "bad_mechanic",
        f"{kind.__name__} does not name its types: write class {kind.__name__}(Position[MyRules, MyAction, MyLuck])",
    )


def _name_rules(kind: type[Ruleset], name: str) -> type[Ruleset]:
    """Return the type of the rules with the name of the game: itself, or a subclass where it belongs to another game."""
    own = vars(kind).get("game")
    if own == name:
        return kind
    if own is None and kind not in {Rules, Ruleset}:
        kind.game = name
        return kind
    namespace = {"game": name, "__doc__": kind.__doc__, "__module__": kind.__module__}
    make: Any = type(kind)
    renamed: type[Ruleset] = make(kind.__name__, (kind,), namespace)
    return renamed


def _with_rules(kind: type, rules: type[Ruleset]) -> type:
    """Return the type of position whose rules have another type."""
    namespace = {"__annotations__": {"rules": rules}, "__doc__": kind.__doc__, "__module__": kind.__module__}
    typed: type = type(kind)(kind.__name__, (kind,), namespace)
    return typed


def _snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
